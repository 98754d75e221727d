// script.js - what moves in xstep's pages. All that there is to read is there without it; here things are
// found, linked, stepped through and copied. No library: what is needed are the browser's own functions, and
// what is in the page must be read and trusted by those who send it on.
(function () {
	"use strict";

	function all(selector, root) {
		return Array.from((root || document).querySelectorAll(selector));
	}

	// --- the index: search and filter ----------------------------------------------------------------

	function setUpFilter(form) {
		const rows = all(".index .row");
		const input = form.querySelector("input");
		const said = form.querySelector("output");
		const chips = form.querySelector(".chips");
		const wanted = new Set();
		const words = new Map();

		function textOf(row) {
			if (!words.has(row)) {
				words.set(row, row.textContent.toLowerCase() + " " + row.dataset.new);
			}
			return words.get(row);
		}

		function apply() {
			const asked = input.value.toLowerCase().split(/\s+/).filter(Boolean);
			let shown = 0;
			rows.forEach(function (row) {
				const good = asked.every((word) => textOf(row).includes(word)) &&
					(!wanted.size || wanted.has(row.dataset.party) || wanted.has(row.dataset.new));
				const target = document.getElementById(row.querySelector("a").hash.slice(1));
				row.hidden = !good;
				if (target && target.matches(".case")) {
					target.hidden = !good;
				}
				shown += good;
			});
			said.textContent = shown === rows.length ? "" : shown + " of " + rows.length + " shown";
		}

		function addChip(word) {
			const chip = document.createElement("button");
			const count = rows.filter((row) =>
				row.dataset.party === word || row.dataset.new === word).length;
			chip.type = "button";
			chip.textContent = (word === "?" ? "nobody named" : word) + " " + count;
			chip.setAttribute("aria-pressed", "false");
			chip.addEventListener("click", function () {
				const on = !wanted.has(word);
				wanted[on ? "add" : "delete"](word);
				chip.setAttribute("aria-pressed", String(on));
				apply();
			});
			chips.append(chip);
		}

		const parties = Array.from(new Set(rows.map((row) => row.dataset.party))).sort();
		const news = Array.from(new Set(rows.map((row) => row.dataset.new))).filter(Boolean).sort();
		if (parties.length > 1) {
			parties.forEach(addChip);
		}
		if (news.length > 1) {
			news.forEach(addChip);
		}
		input.addEventListener("input", apply);
		form.addEventListener("submit", (event) => event.preventDefault());
		form.hidden = rows.length < 2;
		return input;
	}

	// --- which case is looked at ---------------------------------------------------------------------

	function mark(id) {
		all(".index .row").forEach(function (row) {
			const here = row.querySelector("a").hash === "#" + id;
			row.classList.toggle("current", here);
			if (here) {
				row.querySelector("a").setAttribute("aria-current", "true");
			} else {
				row.querySelector("a").removeAttribute("aria-current");
			}
		});
	}

	function watchCases() {
		const cases = all(".case");
		if (!cases.length || !window.IntersectionObserver) {
			return;
		}
		const seen = new Set();
		const observer = new IntersectionObserver(function (entries) {
			entries.forEach((entry) => seen[entry.isIntersecting ? "add" : "delete"](entry.target));
			const first = cases.find((one) => seen.has(one));
			if (first) {
				mark(first.id);
			}
		}, {rootMargin: "-10% 0px -60% 0px"});
		cases.forEach((one) => observer.observe(one));
	}

	function go(by) {
		const shown = all(".case").filter((one) => !one.hidden);
		const top = shown.findIndex((one) => one.getBoundingClientRect().bottom > 60);
		const next = shown[Math.max(0, Math.min(shown.length - 1, (top < 0 ? shown.length - 1 : top) + by))];
		if (next) {
			location.hash = next.id;
			next.querySelector(".id").focus({preventScroll: true});
		}
	}

	// --- source, instructions, ruler and plot belong together ---------------------------------------

	function number(text) {
		return parseInt(text, 16);
	}

	function setUpLinks(one) {
		const rows = all("tr[data-l], tr[data-a]", one);
		const insns = rows.filter((row) => row.dataset.a);

		// The rows that belong to an element: by its line, its address, or a range of these.
		function linked(element) {
			const data = element.dataset;
			if (data.lo) {
				const chosen = insns.filter((row) => number(row.dataset.a) >= number(data.lo) &&
					number(row.dataset.a) < number(data.hi));
				const lines = new Set(chosen.map((row) => row.dataset.l).filter(Boolean));
				return rows.filter((row) => chosen.includes(row) ||
					(!row.dataset.a && lines.has(row.dataset.l)));
			}
			if (data.a && !element.matches("tr")) {
				return rows.filter((row) => row.dataset.a === data.a);
			}
			return rows.filter((row) => row === element || (data.l && row.dataset.l === data.l));
		}

		function set(name, list) {
			rows.forEach((row) => row.classList.toggle(name, list.includes(row)));
		}

		function target(event) {
			const element = event.target.closest("tr[data-l], tr[data-a], rect[data-lo], use[data-a]");
			return element && one.contains(element) ? element : null;
		}

		one.addEventListener("mouseover", function (event) {
			const element = target(event);
			set("linked", element ? linked(element) : []);
		});
		one.addEventListener("mouseleave", () => set("linked", []));
		one.addEventListener("click", function (event) {
			const element = target(event);
			if (!element) {
				return;
			}
			const list = linked(element);
			const again = list.length && list.every((row) => row.classList.contains("held"));
			set("held", again ? [] : list);
			all(".scroll", one).forEach(function (pane) {
				const first = list.find((row) => pane.contains(row));
				if (first && !pane.contains(element)) {
					pane.scrollTop = first.offsetTop - pane.clientHeight / 3;
				}
			});
		});
		// Each pane begins where the stop is.
		all(".scroll", one).forEach(function (pane) {
			const here = pane.querySelector(".here");
			if (here) {
				pane.scrollTop = here.offsetTop - pane.clientHeight / 3;
			}
		});
	}

	// --- the expression, step by step ----------------------------------------------------------------

	function setUpMachine(machine) {
		const columns = all(".steps", machine).map((list) => all("li:not(.remark)", list));
		const controls = machine.querySelector(".controls");
		const said = controls.querySelector("output");
		const last = Math.max(0, ...columns.map((steps) => steps.length));
		let at = last;

		// A value as a generic one: `-1 (signed 64)` is the same as `0xffffffffffffffff`.
		function generic(element) {
			const word = element.textContent.split(" ")[0];
			return /^(0x[0-9a-f]+|-?[0-9]+)$/.test(word) ? BigInt.asUintN(64, BigInt(word)) : word;
		}

		// What the mistaken machine has on its stack and the other one has not.
		function compare() {
			if (columns.length < 2) {
				return;
			}
			columns[1].forEach(function (step, i) {
				const right = columns[0][i] ? all(".stack code", columns[0][i]) : [];
				all(".stack code", step).forEach(function (value, k) {
					value.classList.toggle("off",
						!right[k] || generic(right[k]) !== generic(value));
				});
			});
		}

		function show() {
			columns.forEach((steps) => steps.forEach(function (step, i) {
				step.classList.toggle("now", i === at - 1 && at < last + 1);
				step.classList.toggle("later", i > at - 1);
			}));
			all(".result", machine).forEach((result) => {
				result.hidden = at < last;
			});
			said.textContent = at === 0 ? "nothing is done yet" : "operator " + at + " of " + last;
		}

		controls.addEventListener("click", function (event) {
			const what = event.target.dataset.step;
			if (what) {
				at = what === "first" ? 0 : what === "last" ? last :
					Math.max(0, Math.min(last, at + (what === "on" ? 1 : -1)));
				show();
			}
		});
		controls.addEventListener("keydown", function (event) {
			const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
			if (by) {
				at = Math.max(0, Math.min(last, at + by));
				show();
				event.preventDefault();
			}
		});
		compare();
		controls.hidden = !last;
		if (last) {
			show();
		}
	}

	// --- to copy -------------------------------------------------------------------------------------

	function copyText(text) {
		if (navigator.clipboard && window.isSecureContext) {
			return navigator.clipboard.writeText(text).catch(() => copyOldWay(text));
		}
		return copyOldWay(text);
	}

	// Where a page may not write to the clipboard by itself: what is selected can be copied.
	function copyOldWay(text) {
		const area = document.createElement("textarea");
		area.value = text;
		document.body.append(area);
		area.select();
		const done = document.execCommand("copy");
		area.remove();
		return done ? Promise.resolve() : Promise.reject(new Error("not copied"));
	}

	function setUpCopy(button) {
		const label = button.textContent;
		button.hidden = false;
		button.addEventListener("click", function () {
			const from = document.getElementById(button.dataset.copy);
			const copied = copyText(from.textContent);
			copied.then(() => "Copied", () => "Select it and copy").then(function (said) {
				button.textContent = said;
				setTimeout(() => {
					button.textContent = label;
				}, 1500);
			});
		});
	}

	// --- keys ----------------------------------------------------------------------------------------

	function setUpKeys(input) {
		document.addEventListener("keydown", function (event) {
			if (event.ctrlKey || event.metaKey || event.altKey ||
				event.target.matches("input, textarea, select")) {
				if (event.key === "Escape") {
					event.target.blur();
				}
				return;
			}
			if (event.key === "/" && input) {
				input.focus();
				event.preventDefault();
			} else if (event.key === "j" || event.key === "k") {
				go(event.key === "j" ? 1 : -1);
			}
		});
	}

	const form = document.querySelector("form.filter");
	const input = form ? setUpFilter(form) : null;
	all(".case").forEach(setUpLinks);
	all(".machine").forEach(setUpMachine);
	all("button.copy").forEach(setUpCopy);
	setUpKeys(input);
	watchCases();
	window.addEventListener("hashchange", () => mark(location.hash.slice(1)));
	document.documentElement.classList.add("ready");
}());
