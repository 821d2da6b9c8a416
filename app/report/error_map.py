"""The map of overlay errors over the mat as SVG: a dot where a mark was meant, a line to where it fell, magnified."""

from typing import Final

import numpy as np

from app.report.words import label
from calibration.findings import GOOD_MM, REFUSED_MM, Findings

_WIDTH: Final = 900.0
_EDGE: Final = 34.0
_STEPS: Final = (10.0, 20.0, 50.0, 100.0, 200.0)
_LONGEST_MM: Final = 60.0  # on the mat, of the longest line
_RADII: Final = ((GOOD_MM[0], 5.0), (GOOD_MM[2], 7.5), (REFUSED_MM, 10.0), (float("inf"), 13.0))
_COLOURS: Final = ("#1c7a4c", "#b97900", "#d2601a", "#b3261e")


def error_map(findings: Findings, language: str = "en") -> str:
    """The SVG, drawn as the operator sees the mat: near side at the bottom."""
    mat_w, mat_h = findings.mat_mm
    scale = (_WIDTH - 2 * _EDGE) / mat_w
    height = mat_h * scale + 2 * _EDGE + 26
    errors = np.linalg.norm(findings.errors_mm, axis=1) if len(findings.errors_mm) else np.zeros(0)
    magnified = _magnification(float(errors.max()) if errors.size else 0.0)

    def at(x: float, y: float) -> tuple[float, float]:
        return _EDGE + (x + mat_w / 2) * scale, _EDGE + (mat_h / 2 - y) * scale

    parts = [
        f'<svg viewBox="0 0 {_WIDTH:.0f} {height:.0f}" role="img" aria-label="map of errors over the mat">',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{mat_w * scale:.1f}" height="{mat_h * scale:.1f}" fill="#eef3ee" '
        'stroke="#8a8f8a"/>',
    ]
    for point, shift, error in zip(
        findings.points_mm.tolist(), findings.errors_mm.tolist(), errors.tolist(), strict=True
    ):
        x, y = at(*point)
        u, v = at(point[0] + shift[0] * magnified, point[1] + shift[1] * magnified)
        kind = next(i for i, (limit, _) in enumerate(_RADII) if error <= limit)
        parts.append(
            f"<g><title>{error:.2f} mm at ({point[0]:.0f}, {point[1]:.0f})</title>"
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}" stroke="{_COLOURS[kind]}" stroke-width="2"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADII[kind][1] / 2}" fill="{_COLOURS[kind]}"/></g>'
        )
    if not errors.size:
        parts.append(
            f'<text x="{_WIDTH / 2}" y="{height / 2:.0f}" text-anchor="middle">{label("unmeasured", language)}</text>'
        )
    else:
        bar, scale_words = magnified * scale, label("scale", language, f"{magnified:g}")
        y = height - 16
        parts.append(
            f'<line x1="{_EDGE}" y1="{y}" x2="{_EDGE + bar:.1f}" y2="{y}" stroke="#1d1d22" stroke-width="3"/>'
            f'<text x="{_EDGE + bar + 10:.1f}" y="{y + 5}" font-size="15">{scale_words}</text>'
        )
    parts.append(f'<text x="{_WIDTH / 2}" y="{_EDGE + mat_h * scale + 20:.0f}" text-anchor="middle" font-size="14">')
    parts.append(f"{label('near', language)}</text></svg>")
    return "".join(parts)


def _magnification(largest_mm: float) -> float:
    """How much longer than life errors are drawn: the most at which the longest still looks at home."""
    fitting = [step for step in _STEPS if step * largest_mm <= _LONGEST_MM]
    return max(fitting, default=_STEPS[0])
