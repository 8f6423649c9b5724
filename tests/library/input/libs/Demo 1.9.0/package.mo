package Demo "old"
end Demo;
