"""builds_table.py - the builds that builds.py makes and looks at: a line each.

    name | compilers | levels | flags of compiler and linker | flags of the linker | steps | marks

A line stands for a cell for each of its compilers at each of its levels; the name of such a cell is
name/compiler/level. Empty columns: gcc-12 and clang-15, -O0 and -O2. Steps are functions of builds.py, done
with the linked program. Marks:

    lines         no variables are described: only functions and lines are compared
    functions     neither lines nor variables are described
    nothing       no debug information at all: nothing may be said
    shared        all units but main's and mark's are in a shared object
    icf           two functions may be one: which of them it is, nobody knows
    many          a hundred small units are in the link, too
    relocatable   the units are linked with ld -r first
    archive       the units come from an archive
    profile       built, run, and built again with the profile
    test=C/L      this cell of compiler C at level L is one of those that the test runs
"""

EVERY = "gcc-11 gcc-12 clang-13 clang-14 clang-15 clang-16 clang-19"
SECTIONS = "-ffunction-sections -fdata-sections"
GC = "-Wl,--gc-sections"

TABLE = f"""
# compilers and levels
plain          | {EVERY}       | -O0 -O2 |                          | |  | test=gcc-12/-O0 test=clang-19/-O2
levels         |               | -Og -O1 -O3 -Os |                          | |  | test=gcc-12/-Og
tcc            | tcc           | -O0     |                          | |  | nothing

# linkers and layouts
bfd            |               | -O0     |                          | -fuse-ld=bfd | |
gold           |               | -O0 -O2 |                          | -fuse-ld=gold | |
lld | | -O0 -O2 | | -fuse-ld=lld | | test=gcc-12/-O0 test=clang-15/-O2
lld-separate   | clang-15      | -O0     |                          | -fuse-ld=lld -Wl,-z,separate-code | |
lld-loadable | clang-15 | -O0 | | -fuse-ld=lld -Wl,-z,separate-loadable-segments | |
lld-norosegment| clang-15      | -O0     |                          | -fuse-ld=lld -Wl,--no-rosegment | |
bfd-oneseg     | gcc-12        | -O0     |                          | -fuse-ld=bfd -Wl,-z,noseparate-code | |
bfd-text       | gcc-12        | -O0     | -fno-pie                 | -no-pie -Wl,-Ttext-segment=0x10000000 | |
bfd-page2m     | gcc-12        | -O0     |                          | -Wl,-z,max-page-size=0x200000 | |
gold-split-rx  | gcc-12        | -O0     |                          | -fuse-ld=gold -Wl,--rosegment | |
no-pie         |               | -O0 -O2 | -fno-pie                 | -no-pie | | test=clang-15/-O0
no-pie-lld     |               | -O0     | -fno-pie                 | -no-pie -fuse-ld=lld | |
no-pie-gold    | gcc-12        | -O0     | -fno-pie                 | -no-pie -fuse-ld=gold | |
static         |               | -O0     | -fno-pie                 | -static | | test=gcc-12/-O0
static-lld     |               | -O0     | -fno-pie                 | -static -fuse-ld=lld | |
static-gold    | gcc-12        | -O0     | -fno-pie                 | -static -fuse-ld=gold | |
static-pie     |               | -O0     | -fPIE                    | -static-pie | |
static-pie-lld | gcc-12        | -O0     | -fPIE                    | -static-pie -fuse-ld=lld | |
shared         |               | -O0 -O2 | -fPIC                    | |  | shared test=gcc-12/-O0
shared-lld     | gcc-12        | -O0     | -fPIC                    | -fuse-ld=lld | | shared
shared-copy    | gcc-12        | -O0     | -fPIC                    | -no-pie | | shared
relocatable    |               | -O0     |                          | |  | relocatable
archive        | gcc-12        | -O0     |                          | |  | archive
emit-relocs    | gcc-12        | -O0     |                          | -Wl,--emit-relocs | |
many           |               | -O0     |                          | |  | many
many-lld       | clang-15      | -O2     |                          | -fuse-ld=lld | | many
no-build-id    | gcc-12        | -O0     |                          | -Wl,--build-id=none | |

# formats of DWARF
dwarf2         |               | -O0 -O2 | -gdwarf-2                | |  | test=gcc-12/-O2
dwarf3         |               | -O0 -O2 | -gdwarf-3                | |  |
dwarf4         |               | -O0 -O2 | -gdwarf-4                | |  | test=clang-15/-O2
dwarf5         | gcc-11 clang-13 | -O0 -O2 | -gdwarf-5                | |  |
strict2        |               | -O0 -O2 | -gdwarf-2 -gstrict-dwarf | |  |
strict3        | gcc-12        | -O2     | -gdwarf-3 -gstrict-dwarf | |  |
strict4        |               | -O0 -O2 | -gdwarf-4 -gstrict-dwarf | |  |
strict5        |               | -O0 -O2 | -gdwarf-5 -gstrict-dwarf | |  |
dwarf64        | gcc-11 gcc-12 clang-15 clang-16 | -O0 -O2 | -gdwarf64                | |  | test=gcc-12/-O0
dwarf64-v4     | gcc-12 clang-15 | -O0     | -gdwarf64 -gdwarf-4      | |  |
dwarf64-v3     | gcc-12        | -O0     | -gdwarf64 -gdwarf-3      | |  |
g3             |               | -O0 -O2 | -g3                      | |  |
g3-v4          | gcc-12        | -O0     | -g3 -gdwarf-4            | |  |
g1             |               | -O0 -O2 | -g1                      | |  | lines test=gcc-12/-O0
line-tables    | clang-15      | -O0 -O2 | -gline-tables-only       | |  | lines
g0             | gcc-12        | -O0     | -g0                      | |  | functions
type-units     |               | -O0 -O2 | -fdebug-types-section    | |  | test=gcc-12/-O0
type-units-v4  |               | -O0 -O2 | -fdebug-types-section -gdwarf-4 | |  | test=clang-15/-O0
pubnames       | gcc-12        | -O0     | -ggnu-pubnames           | |  |
gdb-index-lld  | clang-15      | -O0     | -ggnu-pubnames           | -fuse-ld=lld -Wl,--gdb-index | |
gdb-index-gold | gcc-12        | -O0     | -ggnu-pubnames           | -fuse-ld=gold -Wl,--gdb-index | |
no-columns     |               | -O0     | -gno-column-info         | |  |
no-views       | gcc-12        | -O2     | -gno-variable-location-views | |  |
no-tracking    | gcc-12        | -O2     | -fno-var-tracking        | |  |
no-assignments | gcc-12        | -O2     | -fno-var-tracking-assignments | |  |
inline-points  | gcc-12        | -O2     | -ginline-points -gstatement-frontiers | |  |
as-loc         | gcc-12        | -O2     | -gno-as-loc-support -gno-as-locview-support | |  |
internal-reset | gcc-12        | -O2     | -ginternal-reset-location-views | |  |
describe-dies  | gcc-12        | -O0     | -gdescribe-dies          | |  |
unused-types   | gcc-12        | -O0     | -fno-eliminate-unused-debug-types -fno-eliminate-unused-debug-symbols | |  |
struct-base    | gcc-12        | -O0     | -femit-struct-debug-reduced | |  |
prefix-map     |               | -O0     | -ffile-prefix-map=/=/elsewhere/ | |  |
embed-source   | clang-15      | -O0     | -gdwarf-5 -gembed-source | |  |
standalone     | clang-15      | -O2     | -fstandalone-debug -fdebug-info-for-profiling | |  |
instr-ref      | clang-15 clang-16 | -O2     | -Xclang -fexperimental-assignment-tracking | |  |
gsce           | clang-15      | -O0     | -glldb                   | |  |
gsgdb          | clang-15      | -O0 -O2 | -ggdb                    | |  |

# compressed
gz-zlib        |               | -O0     | -gz=zlib                 | |  | test=clang-15/-O0
gz-zlib-gnu    | gcc-12        | -O0     | -gz=zlib-gnu             | |  |
gz-zlib-lld    | gcc-12        | -O0     | -gz=zlib                 | -fuse-ld=lld | |
gz-zlib-gold   | gcc-12        | -O0     | -gz=zlib                 | -fuse-ld=gold | |
gz-zstd        | gcc-12 clang-16 clang-19 | -O0     | -gz=zstd                 | |  |
objcopy-zlib   | gcc-12        | -O0     |                          | | compress_zlib |
objcopy-gnu    | gcc-12        | -O0     |                          | | compress_zlib_gnu |

# split DWARF
split          |               | -O0 -O2 | -gsplit-dwarf            | |  | test=gcc-12/-O0
split-v4       |               | -O0 -O2 | -gsplit-dwarf -gdwarf-4  | |  | test=clang-15/-O2
split-single   | clang-15      | -O0     | -gsplit-dwarf=single     | |  |
split-types    |               | -O0     | -gsplit-dwarf -fdebug-types-section | |  |
split-types-v4 |               | -O0     | -gsplit-dwarf -fdebug-types-section -gdwarf-4 | |  |
split-lld      | clang-15      | -O2     | -gsplit-dwarf            | -fuse-ld=lld | |
split-gc       |               | -O0     | -gsplit-dwarf {SECTIONS} | {GC} | |
split-inlining | clang-15      | -O2     | -gsplit-dwarf -fsplit-dwarf-inlining | |  |
split-gz       | clang-15      | -O0     | -gsplit-dwarf -gz=zlib   | |  |
split-64       | clang-15      | -O0     | -gsplit-dwarf -gdwarf64  | |  |
dwp-llvm       |               | -O0 -O2 | -gsplit-dwarf            | | dwp_llvm | test=clang-15/-O2
dwp-llvm-v4    |               | -O0 -O2 | -gsplit-dwarf -gdwarf-4  | | dwp_llvm |
dwp-llvm-types | gcc-12 clang-15 | -O0     | -gsplit-dwarf -gdwarf-4 -fdebug-types-section | | dwp_llvm |
dwp-llvm-types5| clang-15      | -O0     | -gsplit-dwarf -fdebug-types-section | | dwp_llvm |
dwp-gnu        | gcc-12 clang-15 | -O0 -O2 | -gsplit-dwarf            | | dwp_gnu |
dwp-gnu-v4     | gcc-12 clang-15 | -O0 -O2 | -gsplit-dwarf -gdwarf-4  | | dwp_gnu | test=gcc-12/-O0
dwp-gnu-types  | gcc-12        | -O0     | -gsplit-dwarf -gdwarf-4 -fdebug-types-section | | dwp_gnu |

# debug information that was moved
dwz            |               | -O0 -O2 |                          | | dwz |
dwz-v4         |               | -O0     | -gdwarf-4                | | dwz |
dwz-types      | gcc-12        | -O0     | -gdwarf-4 -fdebug-types-section | | dwz |
dwz-m          |               | -O0 -O2 |                          | | dwz_many | test=gcc-12/-O0
dwz-m-v4       | gcc-12        | -O0     | -gdwarf-4                | | dwz_many |
dwz-m-sup5     | gcc-12        | -O0     | -gdwarf-5                | | dwz_many_5 |
debuglink      |               | -O0     |                          | | debuglink | test=gcc-12/-O0
debuglink-dir  | gcc-12        | -O0     |                          | | debuglink_folder |
debuglink-O2   | clang-15      | -O2     |                          | -fuse-ld=lld | debuglink |
build-id       | gcc-12        | -O0     |                          | | build_id |
build-id-dwz   | gcc-12        | -O0     |                          | | build_id_dwz |
keep-debug-llvm| clang-15      | -O0     |                          | | debuglink_llvm |
eu-strip       | gcc-12        | -O0     |                          | | eu_strip |
eu-strip-reloc | gcc-12        | -O2     |                          | | eu_strip_reloc |
gnu-debugdata  | gcc-12        | -O0     |                          | | debugdata | functions
debugdata-link | gcc-12        | -O0     |                          | | debuglink_debugdata |
stripped       | gcc-12        | -O0     |                          | | strip_symbols |

# what optimisers and linkers do across units
lto            |               | -O0 -O2 | -flto                    | |  |  test=gcc-12/-O2
lto-lld        | clang-15      | -O0 -O2 | -flto                    | -fuse-ld=lld-15 | |
lto-thin       | clang-15      | -O0 -O2 | -flto=thin               | -fuse-ld=lld-15 | |
lto-thin-gold  | clang-15 clang-16 clang-19 | -O2 | -flto=thin | -fuse-ld=gold | |
lto-fat        | gcc-12        | -O0 -O2 | -flto -ffat-lto-objects  | |  |
lto-partitions | gcc-12        | -O0 -O2 | -flto -flto-partition=1to1 | |  |
lto-none       | gcc-12        | -O2     | -flto -flto-partition=none | |  |
lto-v4         | gcc-12        | -O2     | -flto -gdwarf-4          | |  |
lto-gc         | gcc-12        | -O2     | -flto {SECTIONS}         | {GC} | |
gc             |               | -O0 -O2 | {SECTIONS}               | {GC} | | test=gcc-12/-O0
gc-v4          | gcc-12        | -O0     | {SECTIONS} -gdwarf-4     | {GC} | |
gc-gold        | gcc-12        | -O0     | {SECTIONS}               | -fuse-ld=gold {GC} | |
gc-lld         |               | -O0     | {SECTIONS}               | -fuse-ld=lld {GC} | | test=clang-15/-O0
icf-lld | | -O0 -O2 | -ffunction-sections | -fuse-ld=lld -Wl,--icf=all | | icf test=clang-15/-O2
icf-gold       | gcc-12        | -O0 -O2 | -ffunction-sections      | -fuse-ld=gold -Wl,--icf=all | | icf
partition      | gcc-12        | -O2     | -freorder-blocks-and-partition | |  | test=gcc-12/-O2
profile-use    | gcc-12        | -O2     |                          | |  | profile
bb-sections    | clang-15      | -O2     | -fbasic-block-sections=all | -fuse-ld=lld | |
split-machine  | clang-15      | -O2     | -fsplit-machine-functions | |  |
bolt           | gcc-12 clang-15 | -O2     |                          | -Wl,--emit-relocs | bolt |
bolt-v4        | gcc-12 clang-15 | -O2     | -gdwarf-4                | -Wl,--emit-relocs | bolt |
bolt-16        | gcc-12        | -O2     |                          | -Wl,--emit-relocs | bolt_16 |
bolt-O0        | gcc-12        | -O0     | -gdwarf-4                | -Wl,--emit-relocs | bolt |
bolt-split     | gcc-12        | -O2     | -gdwarf-4                | -Wl,--emit-relocs | bolt_split |

# code generation
no-plt         | gcc-12        | -O2     | -fno-plt                 | |  |
cet            |               | -O0     | -fcf-protection=full     | |  |
patchable      |               | -O0     | -fpatchable-function-entry=8,4 | |  |
frame-pointer  |               | -O2     | -fno-omit-frame-pointer  | |  |
no-frame-ptr   |               | -O0     | -fomit-frame-pointer     | |  | test=gcc-12/-O0
no-red-zone    | gcc-12        | -O2     | -mno-red-zone            | |  |
avx            |               | -O0 -O3 | -mavx2                   | |  |
avx512         | gcc-12 clang-15 | -O3     | -mavx512f -mprefer-vector-width=512 | |  |
fast-math      | gcc-12        | -O3     | -ffast-math -funroll-loops | |  |
realign        | gcc-12        | -O2     | -mstackrealign           | |  |
protector      | gcc-12        | -O2     | -fstack-protector-all -fstack-clash-protection | |  |
no-unwind      | gcc-12        | -O0     | -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions | |  |
no-cfi-asm     | gcc-12        | -O0     | -fno-dwarf2-cfi-asm      | |  |
model-medium   | gcc-12        | -O0     | -mcmodel=medium -mlarge-data-threshold=64 | |  |
model-large    | gcc-12 clang-15 | -O0     | -mcmodel=large -fno-pie  | -no-pie | |
short-enums    | gcc-12        | -O0     | -fshort-enums -fpack-struct=1 -funsigned-char | |  |
ms-bitfields   | gcc-12        | -O0     | -mms-bitfields           | |  |
tls-desc       | gcc-12        | -O0     | -fPIC -mtls-dialect=gnu2 | |  | shared
emulated-tls   | clang-15      | -O0     | -femulated-tls           | |  |
split-stack    | gcc-12        | -O0     | -fsplit-stack            | -fuse-ld=gold | |
no-callee      | gcc-12        | -O2     | -fno-ipa-ra -fcall-used-rbx | |  |
ipa-icf        | gcc-12        | -O2     | -fipa-icf -fipa-pta -fmerge-all-constants | |  |
x32            | gcc-12        | -O0     | -mx32                    | |  |
i386           | gcc-12        | -O0     | -m32                     | |  |

# instrumentation
asan           |               | -O0 -O1 | -fsanitize=address       | |  |
ubsan          |               | -O0     | -fsanitize=undefined     | |  |
tsan           |               | -O0     | -fsanitize=thread        | |  |
msan           | clang-15      | -O0     | -fsanitize=memory        | |  |
safe-stack     | clang-15      | -O0     | -fsanitize=safe-stack    | |  |
shadow-cfi     | clang-15      | -O2     | -flto -fvisibility=hidden -fsanitize=cfi | -fuse-ld=lld-15 | |
profile        | gcc-12        | -O0     | -fprofile-generate       | |  |
profile-clang  | clang-15      | -O0     | -fprofile-instr-generate -fcoverage-mapping | |  |
coverage       |               | -O0     | --coverage               | |  | test=gcc-12/-O0
gprof          | gcc-12        | -O0     | -pg                      | |  |
instrument     | gcc-12        | -O0     | -finstrument-functions   | |  |
xray           | clang-15      | -O0     | -fxray-instrument -fxray-instruction-threshold=1 | |  |
"""
