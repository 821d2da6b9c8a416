"""What else is known of a projector's calibration: figures behind the verdict, and likely reasons for errors."""

from collections.abc import Mapping

from calibration.board_reading import Reading
from calibration.findings import Check, Mark
from calibration.mat_pose import MatPose
from calibration.photographs import Photographs
from calibration.projector_map import ProjectorFit


def more(
    photos: Photographs,
    fit: ProjectorFit,
    reading: Reading,
    pose: MatPose | None,
    ratio: float | None,
    share: float,
    on_mat: int,
) -> dict[str, float | int | str | None]:
    """Figures of the step for those who want to know more than the verdict."""
    return {
        "fit_rms_px": round(fit.rms_px, 3),
        "fit_holdout_px": round(fit.holdout_px, 3),
        "model": fit.model,
        "read_by": reading.by,
        "corners_on_mat": on_mat,
        "coverage": round(share, 3),
        "white_over_room": None if ratio is None else round(ratio, 2),
        "marker_rms_mm": None if pose is None else round(pose.rms_mm, 3),
        "marker_left_out_mm": None if pose is None else round(pose.left_out_mm, 3),
        "marker_scale": None if pose is None else round(pose.marker_scale, 4),
        "delay_s": None if photos.delay_s is None else round(photos.delay_s, 3),
        "fps": None if photos.fps is None else round(photos.fps, 2),
        "late_frames": photos.late_frames,
    }


def likely_causes(
    figures: Mapping[str, float | int | None], checks: tuple[Check, ...], pose: MatPose | None, fit: ProjectorFit
) -> tuple[str, ...]:
    """Likely reasons for errors, the likeliest first; none where all is well."""
    found: list[tuple[float, str]] = []
    largest = figures["max_mm"] or 0.0
    if largest > 1.0:
        if pose is not None:
            found.append((pose.left_out_mm / 2, "the lens is not exact, or the mat not flat: markers disagree"))
        found.append((fit.holdout_px / 0.6, "the pattern was read with much noise: too little light, or out of focus"))
        found.append((0.4, "something moved while the patterns were shown"))
    for check in checks:
        if check.mark is not Mark.WELL and check.fix:
            found.append((2.0 if check.mark is Mark.BAD else 0.3, f"{check.topic}: {check.found}; {check.fix}"))
    return tuple(text for _, text in sorted(found, key=lambda pair: -pair[0]))
