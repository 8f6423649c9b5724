// Two streams meet: of three mass flows two are independent.
//! command structure Rubato.Streams.Junction --components
//! output the flow is differentiated; from a, b to outlet; 2 states, torn by
