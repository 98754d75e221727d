// trace.js - walks through the stops of a trace. What is known at a stop is looked up in the list of changes of
// each leaf, so that a step costs the same wherever it is and however many stops there are.
(function () {
	"use strict";

	const data = JSON.parse(document.getElementById("data").textContent);
	const panel = document.getElementById("walk");
	const count = data.stops.length / 4;
	if (!panel || !count) {
		return;
	}

	const STATES = ["", "optimized out", "error", "", "..."];
	const slider = panel.querySelector("input[type=range]");
	const chooser = panel.querySelector("select");
	const said = panel.querySelector("output");
	const frames = panel.querySelector(".frames");
	const registers = panel.querySelector(".regs");
	const rows = Array.from(document.querySelectorAll("tr[data-leaf]"), function (row) {
		return {
			row: row,
			leaf: Number(row.dataset.leaf),
			now: row.querySelector(".now"),
			cursor: row.querySelector(".cursor"),
			says: undefined,
		};
	});
	const lines = new Map(Array.from(document.querySelectorAll(".source tr[data-l]"), (row) => [
		row.dataset.f + ":" + row.dataset.l, row]));

	// By leaf and by register: at which stops it changes, and to what.
	function changesOf(flat, number) {
		const lists = Array.from({length: number}, () => ({stops: [], says: []}));
		for (let i = 0; i < flat.length; i += 3) {
			lists[flat[i + 1]].stops.push(flat[i]);
			lists[flat[i + 1]].says.push(flat[i + 2]);
		}
		return lists;
	}
	const leaves = changesOf(data.facts, data.leaves.length);
	const regs = changesOf(data.regs, data.reg_names.length);

	// The last one of a sorted list that is not behind `at`; -1: all are.
	function lastUpTo(list, at) {
		let lo = 0;
		let hi = list.length;
		while (lo < hi) {
			const mid = (lo + hi) >> 1;
			if (list[mid] <= at) {
				lo = mid + 1;
			} else {
				hi = mid;
			}
		}
		return lo - 1;
	}

	function saysAt(list, at) {
		const k = lastUpTo(list.stops, at);
		return k < 0 ? null : list.says[k];
	}

	// null: it is not listed there.
	function textAt(list, at) {
		const says = saysAt(list, at);
		if (says === null || says === -4) {
			return null;
		}
		return says >= 0 ? data.texts[says] : "<" + STATES[-1 - says] + ">";
	}

	function placeAt(at) {
		return data.places[data.stops[4 * at + 1]];
	}

	function lineAt(at) {
		const place = placeAt(at);
		return place[1] + ":" + place[2];
	}

	let now = 0;
	let marked = null;

	function showSource(at) {
		const row = lines.get(lineAt(at));
		if (marked) {
			marked.classList.remove("here");
			marked.removeAttribute("aria-current");
		}
		marked = row || null;
		if (!row) {
			return;
		}
		row.classList.add("here");
		row.setAttribute("aria-current", "true");
		const pane = row.closest(".scroll");
		const top = row.offsetTop - pane.scrollTop;
		if (top < 20 || top > pane.clientHeight - 40) {
			pane.scrollTop = row.offsetTop - pane.clientHeight / 3;
		}
	}

	function showVariables(at) {
		rows.forEach(function (one) {
			const list = leaves[one.leaf];
			const text = textAt(list, at);
			const k = lastUpTo(list.stops, at);
			if (one.says !== text) {
				one.says = text;
				one.now.textContent = text === null ? "" : text;
				one.row.classList.toggle("gone", text === null);
			}
			one.row.classList.toggle("changed", text !== null && k >= 0 && list.stops[k] === at && at > 0);
			one.cursor.setAttribute("x1", at + 0.5);
			one.cursor.setAttribute("x2", at + 0.5);
		});
	}

	function showFrames(at) {
		const stack = data.stops[4 * at + 3];
		const list = stack < 0 ? [data.texts[placeAt(at)[4]]] : data.texts[stack].split("\n");
		frames.replaceChildren(...list.map(function (text) {
			const item = document.createElement("li");
			item.textContent = text;
			return item;
		}));
	}

	function showRegisters(at) {
		registers.replaceChildren(...data.reg_names.map(function (name, i) {
			const item = document.createElement("span");
			const k = lastUpTo(regs[i].stops, at);
			item.textContent = name + " " + (k < 0 ? "" : data.texts[regs[i].says[k]]);
			item.classList.toggle("changed", k >= 0 && at > 0 && regs[i].stops[k] === at);
			return item;
		}));
	}

	function show(at) {
		now = Math.max(0, Math.min(count - 1, at));
		const place = placeAt(now);
		const file = data.texts[place[1]].replace(/.*\//, "");
		slider.value = String(now);
		const line = place[2] ? file + ":" + place[2] + (place[3] ? ":" + place[3] : "") : "no line";
		said.textContent = "stop " + data.stops[4 * now] + " - " + place[0] + " - " +
			data.texts[place[4]] + " - " + line + " - arrival " +
			data.stops[4 * now + 2] + " on this way";
		showSource(now);
		showVariables(now);
		showFrames(now);
		showRegisters(now);
	}

	// The address says where one is, but not at every move of the slider: browsers forbid that.
	let waiting = 0;
	function go(at) {
		show(at);
		clearTimeout(waiting);
		waiting = setTimeout(() => history.replaceState(null, "", "#stop=" + data.stops[4 * now]), 200);
	}

	// --- ways on ------------------------------------------------------------------------------------

	function otherLine(by) {
		let at = now;
		while (at + by >= 0 && at + by < count) {
			at += by;
			if (lineAt(at) !== lineAt(now)) {
				break;
			}
		}
		return at;
	}

	function change(by) {
		const list = leaves[Number(chooser.value)].stops;
		const k = by > 0 ? lastUpTo(list, now) + 1 : lastUpTo(list, now - 1);
		return k >= 0 && k < list.length ? list[k] : now;
	}

	// The next stop at a line, from the beginning again if there is none.
	function atLine(key, back) {
		for (let i = 1; i <= count; i++) {
			const at = (now + (back ? count - i : i)) % count;
			if (lineAt(at) === key) {
				return at;
			}
		}
		return now;
	}

	const ways = {
		first: () => 0,
		last: () => count - 1,
		back: () => now - 1,
		on: () => now + 1,
		"line-back": () => otherLine(-1),
		"line-on": () => otherLine(1),
		"change-back": () => change(-1),
		"change-on": () => change(1),
	};
	const keys = {
		Home: "first", End: "last", ArrowLeft: "back", ArrowRight: "on", "[": "line-back", "]": "line-on",
		p: "change-back", n: "change-on",
	};

	panel.addEventListener("click", function (event) {
		const way = ways[event.target.dataset.go];
		if (way) {
			go(way());
		}
	});
	slider.addEventListener("input", () => go(Number(slider.value)));
	document.addEventListener("keydown", function (event) {
		const way = keys[event.key];
		if (way && !event.ctrlKey && !event.metaKey && !event.altKey &&
			!event.target.matches("input, select")) {
			go(ways[way]());
			event.preventDefault();
		}
	});
	document.addEventListener("click", function (event) {
		const line = event.target.closest("tr[data-f]");
		const leaf = event.target.closest("tr[data-leaf]");
		if (line) {
			go(atLine(line.dataset.f + ":" + line.dataset.l, event.shiftKey));
		} else if (leaf) {
			chooser.value = leaf.dataset.leaf;
			choose();
		}
	});

	function choose() {
		rows.forEach((one) => one.row.classList.toggle("chosen", one.leaf === Number(chooser.value)));
	}

	function fromAddress() {
		const wanted = /^#stop=(\d+)$/.exec(location.hash);
		if (!wanted) {
			return 0;
		}
		for (let at = 0; at < count; at++) {
			if (data.stops[4 * at] >= Number(wanted[1])) {
				return at;
			}
		}
		return count - 1;
	}

	rows.forEach(function (one) {
		const option = document.createElement("option");
		const leaf = data.leaves[one.leaf];
		option.value = String(one.leaf);
		option.textContent = data.texts[leaf[0]] + (data.texts[leaf[1]] ? " of " + data.texts[leaf[1]] : "");
		chooser.append(option);
	});
	chooser.addEventListener("change", choose);
	window.addEventListener("hashchange", () => show(fromAddress()));
	slider.max = String(count - 1);
	panel.hidden = false;
	if (rows.length) {
		choose();
	}
	show(fromAddress());
}());
