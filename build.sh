S=/root/real/sources
for cc in gcc-12 clang-15; do for l in O0 O1 O2 Og Os; do
  o=/tmp/o/b/bzip2-$cc-$l; [ -f $o ] || (cd $S/bzip2 && nice $cc -g -$l -w -o $o blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c bzip2.c -D_FILE_OFFSET_BITS=64)
  o=/tmp/o/b/mini-$cc-$l; [ -f $o ] || (cd $S/zlib && nice $cc -g -$l -w -DHAVE_UNISTD_H -DHAVE_STDARG_H -I. -Itest -o $o adler32.c compress.c crc32.c deflate.c gzclose.c gzlib.c gzread.c gzwrite.c infback.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c test/minigzip.c)
done; done
for cc in gcc-12 clang-15; do for l in O0 O1 O2 Og Os; do
  o=/tmp/o/b/lua-$cc-$l; [ -f $o ] || (cd $S/lua5.4/src && nice $cc -g -$l -w -DLUA_USE_LINUX -DLUA_COMPAT_5_3 -o $o $(ls *.c | grep -v luac.c) -lm -ldl)
done; done
