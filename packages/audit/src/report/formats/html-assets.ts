/** Colours reach a contrast of 4.5 to 1 on both grounds (WCAG 2.1 AA). */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --code: #f3f5f7; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --text: #e6e9ec; --quiet: #9aa4ae; --line: #343b43; --code: #1e2329; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; } h2 { margin-top: 2rem; }
#filters { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: end; margin-top: 1rem; }
#filters fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .4rem 1rem; } legend { padding: 0; }
input[type=search] { font: inherit; padding: .3rem .5rem; min-width: 16rem; }
.finding, main > section > details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .5rem .8rem; }
summary { cursor: pointer; } summary code, .facts { color: var(--quiet); }
:focus-visible { outline: 3px solid #2f81f7; outline-offset: 2px; }
pre { background: var(--code); border-radius: 6px; overflow-x: auto; padding: .7rem; } code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; }
.badge { border-radius: 4px; color: #fff; display: inline-block; font-size: .8rem; min-width: 4.5rem; padding: 0 .4rem; text-align: center; }
.critical { background: #8b1a1a; } .high { background: #b3450b; } .medium { background: #7a5b00; } .low { background: #29628f; } .info { background: #57606a; }
@media print { #filters { display: none; } }
`

export const PAGE_SCRIPT = `
const form = document.getElementById('filters')
const search = document.getElementById('search')
const shown = document.getElementById('shown')
const findings = [...document.querySelectorAll('.finding')]
const texts = findings.map((finding) => finding.textContent.toLowerCase())
function applyFilters() {
  const wanted = new Set([...form.querySelectorAll('[name=severity]:checked')].map((box) => box.value))
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let count = 0
  findings.forEach((finding, index) => {
    const visible = wanted.has(finding.dataset.severity) && words.every((word) => texts[index].includes(word))
    finding.hidden = !visible
    if (visible) count += 1
  })
  shown.textContent = count === findings.length ? count + ' findings' : count + ' of ' + findings.length + ' findings'
}
form.addEventListener('input', applyFilters)
form.addEventListener('submit', (event) => event.preventDefault())
`
