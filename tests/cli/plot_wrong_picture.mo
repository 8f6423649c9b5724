//! command plot p.mat x --output picture.gif
//! exit 2
//! message 'picture.gif': a picture is written as .svg
