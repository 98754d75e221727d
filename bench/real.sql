-- real.sql - work for sqlite3: a table filled, indexed, joined, grouped, changed and thinned out.
CREATE TABLE item(id INTEGER PRIMARY KEY, shelf INTEGER, name TEXT, price REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
INSERT INTO item SELECT i, i * 7919 % 1009, printf('item %x', i * 2654435761 % 4294967296), i % 977 / 7.0 FROM n;
CREATE INDEX by_shelf ON item(shelf, price);
SELECT shelf, count(*), round(sum(price), 3), max(name) FROM item GROUP BY shelf ORDER BY 3 DESC LIMIT 3;
SELECT count(*) FROM item a JOIN item b ON b.shelf = a.shelf AND b.price > a.price WHERE a.id < 5000;
UPDATE item SET price = price * 1.5 WHERE name LIKE '%7f%';
SELECT substr(name, 6, 1) AS k, count(*), avg(length(name)) FROM item GROUP BY k ORDER BY k LIMIT 4;
DELETE FROM item WHERE shelf % 3 = 1;
SELECT count(*), round(total(price), 3) FROM item;
