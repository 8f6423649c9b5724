within Other;
model Lost
end Lost;
