"""The calibration report as one HTML page that needs nothing else: verdict, error map, checks, figures."""

import html
from typing import Final

from app.report import words
from app.report.error_map import error_map
from calibration.findings import REFUSED_MM, Check, Findings, Mark

_SIGNS: Final = {Mark.WELL: ("✓", "well"), Mark.NOTE: ("!", "note"), Mark.BAD: ("✕", "bad")}
_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1d1d22; background: #f4f2ec; margin: 0; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.3rem; margin: 0 0 .3rem; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
.verdict { display: flex; gap: .9rem; align-items: center; padding: .9rem 1.1rem; background: #fff;
  border-radius: .5rem;
  border-left: .5rem solid #888; font-size: 1.2rem; }
.verdict.well { border-color: #1c7a4c; } .verdict.note { border-color: #b97900; }
.verdict.bad { border-color: #b3261e; }
.sign { display: inline-block; width: 1.6rem; height: 1.6rem; line-height: 1.6rem; text-align: center;
  border-radius: 50%; color: #fff; font-weight: 700; flex: none; }
.sign.well { background: #1c7a4c; } .sign.note { background: #b97900; } .sign.bad { background: #b3261e; }
table { border-collapse: collapse; width: 100%; background: #fff; border-radius: .5rem; overflow: hidden; }
td, th { padding: .45rem .7rem; border-top: 1px solid #e7e3d9; vertical-align: top; text-align: left; }
tr:first-child td { border-top: 0; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
.fix { color: #6b4a00; } .quiet { color: #66636b; font-size: .9rem; } svg { width: 100%; height: auto; background: #fff;
  border-radius: .5rem; } .figures { columns: 2; column-gap: 1.5rem; }
.figures div { display: flex; justify-content: space-between; border-bottom: 1px dotted #c9c4b8; break-inside: avoid; }
"""


def page(findings: Findings, made_at: str, language: str = "en", refused: bool = False) -> str:
    """The report as HTML text, in `en` or `ja`; `refused`: nothing came of the calibration."""
    sign, name = _SIGNS[findings.mark]
    causes = "".join(f"<li>{html.escape(words.cause(cause, language))}</li>" for cause in findings.causes)

    def say(key: str, *gaps: str) -> str:
        return html.escape(words.label(key, language, *gaps))

    verdict = html.escape(words.sentence(findings.verdict, language))
    title = say("refused" if refused else "title")
    return f"""<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{_STYLE}</style></head><body><main>
<h1>{title}</h1>
<p class="quiet">{html.escape(made_at)} · {say("mat")} {findings.mat_mm[0]:g} × {findings.mat_mm[1]:g} mm</p>
<p class="verdict {name}"><span class="sign {name}">{sign}</span><span>{verdict}</span></p>
{f'<p class="quiet">{say("unchanged")}</p>' if refused else ""}
{_map(findings, language) if findings.errors_mm.size or not refused else ""}
{f"<h2>{say('causes')}</h2><ol>{causes}</ol>" if causes else ""}
<h2>{say("checks")}</h2>
<table>{"".join(_row(words.check(check, language)) for check in findings.checks)}</table>
<h2>{say("figures")}</h2><div class="figures">{_figures(findings)}</div>
</main></body></html>
"""


def _map(findings: Findings, language: str) -> str:
    """The map of errors with what it shows."""
    title, how = words.label("where", language), words.label("how", language, f"{REFUSED_MM:g}")
    return f"""<h2>{html.escape(title)}</h2>
{error_map(findings, language)}
<p class="quiet">{html.escape(how)}</p>"""


def _row(check: Check) -> str:
    sign, name = _SIGNS[check.mark]
    fix = f'<div class="fix">→ {html.escape(check.fix)}</div>' if check.fix else ""
    return (
        f'<tr><td><span class="sign {name}">{sign}</span></td><td>{html.escape(check.topic)}</td>'
        f"<td>{html.escape(check.found)}{fix}</td></tr>"
    )


def _figures(findings: Findings) -> str:
    shown = []
    for key, value in findings.figures.items():
        if value is not None:
            text = f"{value:g}" if isinstance(value, int | float) else str(value)
            shown.append(f"<div><span>{html.escape(key)}</span><span>{html.escape(text)}</span></div>")
    return "".join(shown)
