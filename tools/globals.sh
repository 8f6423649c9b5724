#!/bin/sh
# No mutable variables at file scope: .data and .bss of every object of the library are empty.
# (Constant tables of pointers land in .data.rel.ro and pass.) The one exception is the pointer to
# the domain of memory that runs on a thread, in base/memory.c.
objdump -h "$1" | awk '
    /file format/ { object = $1 }
    object == "memory.o:" && $2 == ".tbss" && $3 == "00000008" { next }
    $2 ~ /^\.(data|bss|tdata|tbss)$/ && $3 !~ /^0+$/ { print object " has " $2 " of 0x" $3 " bytes"; n++ }
    END { exit n > 0 }'
