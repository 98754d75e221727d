-- real.lua - work for the Lua interpreter: sorting, strings, closures, a sieve, garbage.
local function sieve(n)
	local composite, count = {}, 0
	for i = 2, n do
		if not composite[i] then
			count = count + 1
			for j = i * i, n, i do composite[j] = true end
		end
	end
	return count
end

local function words(n)
	local seen, list, x = {}, {}, 1
	for _ = 1, n do
		x = (x * 1103515245 + 12345) % 2147483648
		local word = string.format("%x", x):gsub("[0-4]", "a"):sub(1, 3)
		seen[word] = (seen[word] or 0) + 1
	end
	for word, count in pairs(seen) do list[#list + 1] = { word = word, count = count } end
	table.sort(list, function(a, b)
		return a.count > b.count or a.count == b.count and a.word < b.word
	end)
	return list[1].word, #list
end

local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end

for _ = 1, 3 do
	print(sieve(1000000), fib(27), words(200000))
end
