pure model M
end M;
//! error P127 1:6
