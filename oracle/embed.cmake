# embed.cmake - cmake -DFROM=file -DNAME=symbol -DTO=file.c -P embed.cmake: a file as a C array.
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n\t" bytes ${bytes})
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes ${bytes})
file(WRITE ${TO} "/* Made from ${NAME}'s source. */\nextern const char ${NAME}[];\nconst char ${NAME}[] = {\n\t${bytes}0};\n")
