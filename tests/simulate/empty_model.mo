// A model without anything has results, too: the time.
//! command simulate {file} --output - --stop 1
//! near time(1) = 1 within 0
model M
end M;
