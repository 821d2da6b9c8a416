"""The projector's step as a whole: photographs of the patterns and a profile in, a better profile and a report out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration import code_reading, light_checks, patterns
from calibration.board_reading import Reading, read_boards
from calibration.corners import camera_position
from calibration.crosses import measure_crosses
from calibration.findings import REFUSED_MM, Check, Findings, Mark, error_figures, verdict
from calibration.lens_check import implausible, is_guess
from calibration.mat_pose import MatPose, check_scale, find_mat
from calibration.photographs import Photographs, explain_unread, outshone
from calibration.profile import Profile, Projector, Table, Validation
from calibration.projector_causes import likely_causes, more
from calibration.projector_map import ProjectorFit, fit_projector_map
from calibration.refusals import Reason, Refusal
from calibration.stillness import check_stillness
from calibration.view import TableView

CODE_BELOW: Final = 0.6
"""Where less of the corners on the mat can be read than this share, the Gray code is tried."""
_FEWEST: Final = 0.75
_FEWEST_POINTS: Final = 24
_BENT_SHARE: Final = 0.03  # a projector's own barrel reaches 0.02; another camera's lens shows in the markers first
_STANDS_MM: Final = 1.0  # a lens so wrong would have shown in the markers
_FLAT_MM: Final = 0.4  # of one plane a fit leaves 0.15, of two planes 20 mm apart 0.4 to 3
_FLAT_PX: Final = 0.4  # of the camera: in coarse pictures reading alone leaves as much
_UNEVEN_MM: Final = 0.25
_OFF_MAT_MM: Final = 4.0
_COVERS: Final = 0.75  # sides of a marker around its middle in which no light is read
_LIT: Final = 0.8
_RIGHT_MM: Final = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The profile with the projector in it, what was found, and the fit."""

    profile: Profile
    findings: Findings
    fit: ProjectorFit
    reading: Reading


def needs_code(photos: Photographs, profile: Profile, size_px: tuple[int, int]) -> bool:
    """Whether the boards show so little of the mat that the Gray code should be projected too."""
    reading = read_boards(photos, size_px)
    if len(reading.weight) < _FEWEST_POINTS:
        return True
    view, _ = _view(photos, profile)
    mm = view.table_mm(reading.camera_px)
    on = _on_mat(mm, profile.mat_mm)
    if on.sum() < _FEWEST_POINTS:
        return True
    fit = fit_projector_map(mm[on], reading.projector_px[on], size_px, reading.weight[on])
    return _share(fit, profile, size_px) < CODE_BELOW


def calibrate_projector(
    photos: Photographs,
    profile: Profile,
    size_px: tuple[int, int],
    made_at: str,
    display: Mapping[str, str | float] | None = None,
    camera_id: str | None = None,
) -> Outcome:
    """The projector found on the mat, and how exactly. `camera_id` is None where photographs come from files.

    Raises Refusal with its reason for anything that would make the light fall beside its place.
    """
    check_camera(photos, profile, camera_id)
    view, pose = _view(photos, profile)
    reading = _read(photos, size_px)
    mm = view.table_mm(reading.camera_px)
    on = _on_mat(mm, profile.mat_mm)
    if on.sum() < _FEWEST_POINTS:
        _explain_few(photos, int(on.sum()))
    fit = fit_projector_map(mm[on], reading.projector_px[on], size_px, reading.weight[on])
    ratio = light_checks.contrast(photos, reading, size_px)
    brightness = light_checks.check_contrast(ratio)
    _check_bend(fit, mm[on], reading.projector_px[on], _camera_mm_per_px(view, profile.mat_mm))
    if pose is not None and profile.table.markers is not None:
        check_scale(pose, profile.table.markers)
    share = _share(fit, profile, size_px)
    lit = _lit_share(fit, profile.mat_mm, size_px)
    if lit < _LIT:
        raise Refusal(
            Reason.TOO_SMALL,
            f"the projector's picture covers only {100 * lit:.0f} % of the mat; move it back, zoom out, or turn it to "
            "the mat",
        )
    if share < _FEWEST:
        raise Refusal(
            Reason.COVERED_BOARD,
            f"only {100 * share:.0f} % of the pattern on the mat can be read; clear the mat of everything that lies on "
            "it or stands in the light",
        )
    crosses = measure_crosses(photos, view, fit.map, size_px, profile.mat_mm, profile.table.markers)
    figures = error_figures(crosses.errors_mm)
    points = light_checks.mat_px(view, profile.mat_mm, photos.idle.size_px)
    checks = (
        brightness,
        _coverage(share, lit),
        *light_checks.check_saturation(photos, points),
        light_checks.check_exposure(photos, points, fit.map.map(view.table_mm(points.astype(np.float64))), size_px),
        light_checks.check_scaling(photos, view, fit.map, profile.mat_mm, size_px),
        *_timing(photos, profile),
        *_markers(pose),
        *(() if pose is None else check_stillness(photos, view, profile.table.markers, pose.corners_px)),
        _lens(profile, fit, mm[on]),
        *_moved(profile, view, fit),
    )
    said, mark = verdict(figures, checks)
    causes = likely_causes(figures, checks, pose, fit)
    findings = Findings(
        said, mark, checks, figures | more(photos, fit, reading, pose, ratio, share, int(on.sum())),
        crosses.wanted_mm, crosses.seen_mm - crosses.wanted_mm, profile.mat_mm, causes,
    )  # fmt: skip
    largest = figures["max_mm"]
    if largest is not None and largest > REFUSED_MM and float(np.median(crosses.errors_mm)) < _RIGHT_MM:
        far = crosses.wanted_mm[crosses.errors_mm > REFUSED_MM].mean(axis=0)
        raise Refusal(
            Reason.COVERED_BOARD,
            f"light falls in its place but around ({far[0]:.0f}, {far[1]:.0f}) mm from the mat's middle, where it is "
            f"{largest:.1f} mm off: something stands on the mat; clear it and calibrate again",
            findings,
        )
    if largest is not None and largest > REFUSED_MM:
        why = f" ({causes[0]})" if causes else ""
        raise Refusal(Reason.INACCURATE, f"{said}{why}; nothing was changed", findings)
    beam = Projector(size_px, fit.map.plain, dict(display or {}), fit.map if fit.map.bend else None)
    checked = None
    if largest is not None:
        checked = Validation(
            int(figures["points"] or 0), float(figures["rms_mm"] or 0), float(figures["p95_mm"] or 0), float(largest)
        )
    made = replace(profile, made_at=made_at, table=_table(profile, view, pose), projector=beam, validation=checked)
    return Outcome(made, findings, fit, reading)


def check_camera(photos: Photographs, profile: Profile, camera_id: str | None) -> None:
    """Raises Refusal for pictures of another size, of another camera, or a lens that cannot be."""
    made, got = profile.camera.size_px, photos.idle.size_px
    if made != got:
        raise Refusal(
            Reason.OTHER_SIZE,
            f"the pictures are {got[0]}x{got[1]}, the lens was calibrated at {made[0]}x{made[1]}; set the camera to "
            "that size or run `hanafuda calibrate lens` again",
        )
    if camera_id and profile.camera.id and camera_id != profile.camera.id:
        raise Refusal(
            Reason.OTHER_CAMERA,
            f"this is the camera {camera_id}, the lens was calibrated for {profile.camera.id}; plug that one in or run "
            "`hanafuda calibrate lens` with this one",
        )
    problem = implausible(profile.camera.lens, profile.camera.size_px)
    if problem is not None:
        raise Refusal(Reason.LENS, f"the lens in the profile cannot be true: {problem}; run `hanafuda calibrate lens`")


def _view(photos: Photographs, profile: Profile) -> tuple[TableView, MatPose | None]:
    """Camera to mat: by the markers as they lie now, or as the profile has it where there are none."""
    markers = profile.table.markers
    if markers is None or not markers.centres_mm:
        return profile.view(), None
    pose = find_mat(photos.idle.grey, markers, profile.camera.lens, judge_scale=False)  # by the light's lines first
    position, _, _ = camera_position(pose.table_from_camera, profile.camera.lens)
    return TableView(profile.camera.lens, pose.table_from_camera, np.array(position)), pose


def _table(profile: Profile, view: TableView, pose: MatPose | None) -> Table:
    if pose is None or view.camera_mm is None:
        return profile.table
    x, y, z = view.camera_mm.tolist()
    return replace(profile.table, table_from_camera=pose.table_from_camera, camera_position_mm=(x, y, z))


def _read(photos: Photographs, size_px: tuple[int, int]) -> Reading:
    """Points of light by the boards, or by the Gray code where it was photographed and shows more."""
    boards = read_boards(photos, size_px)
    if not code_reading.is_complete(photos):
        return boards
    if len(boards.weight) >= CODE_BELOW * boards.wanted:
        return boards
    code = code_reading.read_code(photos, size_px)
    return code if len(code.weight) > len(boards.weight) else boards


def _on_mat(points_mm: NDArray[np.float64], mat_mm: tuple[float, float]) -> NDArray[np.bool_]:
    return np.asarray(np.all(np.abs(points_mm) <= np.array(mat_mm) / 2 + _OFF_MAT_MM, axis=1))


def _share(fit: ProjectorFit, profile: Profile, size_px: tuple[int, int]) -> float:
    """How much of the board's corners that fall well onto the mat, beside its printed markers, were read and fit."""
    corners = fit.map.table_mm(patterns.board_plan(size_px).corners_px())
    expected = np.all(np.abs(corners) < np.array(profile.mat_mm) / 2 - 8, axis=1)
    markers = profile.table.markers
    if markers is not None:
        for centre in markers.centres_mm.values():
            expected &= np.abs(corners - np.array(centre)).max(axis=1) > markers.size_mm * _COVERS
    return min(1.0, float(fit.used.sum()) / max(1, int(expected.sum())))


def _lit_share(fit: ProjectorFit, mat_mm: tuple[float, float], size_px: tuple[int, int]) -> float:
    """How much of the mat the projector's picture reaches."""
    x, y = (np.linspace(-side / 2, side / 2, 41) for side in mat_mm)
    px = fit.map.map(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))
    return float(np.mean(np.all((px >= -0.5) & (px <= np.array(size_px) - 0.5), axis=1)))


def _explain_few(photos: Photographs, found: int) -> None:
    names = [patterns.board_name(level) for level in patterns.LEVELS if patterns.board_name(level) in photos.by_name]
    if not names:
        raise Refusal(Reason.UNREADABLE, "no photograph of a board is there; take one of each pattern")
    if found == 0 or outshone(photos.by_name[names[0]], photos.idle):
        explain_unread(photos.by_name[names[0]], photos.idle)
    raise Refusal(
        Reason.COVERED_BOARD,
        f"only {found} corners of the pattern can be read on the mat; clear the mat, and let the projector's picture "
        "cover it",
    )


def _mm_per_px(fit: ProjectorFit, table_mm: NDArray[np.float64]) -> float:
    """How large a projector px is on the mat."""
    middle = fit.map.map(table_mm.mean(axis=0))
    a, b = fit.map.table_mm(np.stack([middle, middle + np.array([10.0, 0.0])]))
    return float(np.hypot(*(b - a))) / 10


def _camera_mm_per_px(view: TableView, mat_mm: tuple[float, float]) -> float:
    """How large a px of the camera is on the mat, on average."""
    across = view.camera_px(np.array([[-mat_mm[0] / 2, 0.0], [mat_mm[0] / 2, 0.0]]))
    return mat_mm[0] / float(np.hypot(*(across[1] - across[0])))


def _check_bend(
    fit: ProjectorFit, table_mm: NDArray[np.float64], projector_px: NDArray[np.float64], px_mm: float
) -> None:
    """Straight lines of light must look straight, and lie in one plane. Raises Refusal where they do not.

    A wrong lens bends all lines alike, so that a few radial terms take nearly all of it up; what stands on the mat
    moves the light on it and leaves the rest, which no terms take up. `px_mm` is the size of the camera's px.
    """
    away = np.linalg.norm(fit.map.map(table_mm) - projector_px, axis=1)[fit.used]
    off_mm = float(np.sqrt(np.mean(away**2))) * _mm_per_px(fit, table_mm)
    bend = fit.map.bend
    bent = 0.0 if bend is None else bend.largest_px / bend.radius_px
    if (bent > _BENT_SHARE and off_mm < _STANDS_MM) or (fit.used.mean() < _FEWEST and off_mm > _UNEVEN_MM):
        raise Refusal(
            Reason.LENS,
            f"straight lines of light look bent by {max(100 * bent, 1):.0f} % of the picture: the lens in the profile "
            "is not this camera's; run `hanafuda calibrate lens`",
        )
    if fit.used.mean() < _FEWEST:
        raise Refusal(
            Reason.COVERED_BOARD,
            f"{100 * (1 - fit.used.mean()):.0f} % of the pattern is seen beside its place, the rest is right: "
            "something stands on the mat; clear it and calibrate again",
        )
    if off_mm > max(_FLAT_MM, _FLAT_PX * px_mm):
        raise Refusal(
            Reason.COVERED_BOARD,
            f"the light does not fall onto one plane, points of it lie {off_mm:.1f} mm beside it: something stands on "
            "the mat, or the mat is not flat; clear and smooth it and calibrate again",
        )


def _coverage(share: float, lit: float) -> Check:
    said = f"{100 * share:.0f} % of the pattern on the mat was read; light reaches {100 * lit:.0f} % of the mat"
    if lit < 0.995:
        return Check(
            "coverage", Mark.NOTE, said, "zoom the projector out or move it back until it covers the whole mat"
        )
    if share < 0.9:
        return Check("coverage", Mark.NOTE, said, "clear the mat and calibrate again")
    return Check("coverage", Mark.WELL, said)


def _timing(photos: Photographs, profile: Profile) -> tuple[Check, ...]:
    checks = []
    if photos.delay_s is not None:
        said = f"light is seen {1000 * photos.delay_s:.0f} ms after it was sent"
        slow = photos.delay_s > 0.25
        checks.append(
            Check("delay", Mark.NOTE if slow else Mark.WELL, said, "use the projector's game mode" if slow else "")
        )
    wanted = profile.camera.mode.get("fps")
    if photos.fps is not None:
        said = f"{photos.fps:.0f} pictures a second"
        slow = isinstance(wanted, int | float) and photos.fps < 0.8 * float(wanted)
        fix = "more light, or exposure_dynamic_framerate off: cameras slow down in the dark" if slow else ""
        checks.append(Check("frame rate", Mark.NOTE if slow else Mark.WELL, said, fix))
    return tuple(checks)


def _markers(pose: MatPose | None) -> tuple[Check, ...]:
    if pose is None:
        return (Check("markers", Mark.NOTE, "none on this mat: it must not be moved after calibrating"),)
    scale = 100 * pose.marker_scale
    return (
        Check(
            "markers",
            Mark.WELL if pose.left_out_mm < 2 else Mark.NOTE,
            f"{len(pose.corners_px)} seen, {pose.rms_mm:.2f} mm from their places; each foretold by the others within "
            f"{pose.left_out_mm:.1f} mm",
            "" if pose.left_out_mm < 2 else "smooth the mat, or calibrate the lens again",
        ),
        Check("printed scale", Mark.WELL, f"markers are {scale:.1f} % of their size by their distances"),
    )


def _lens(profile: Profile, fit: ProjectorFit, table_mm: NDArray[np.float64]) -> Check:
    held = fit.holdout_px * _mm_per_px(fit, table_mm)
    said = f"points left out of the fit are met within {held:.2f} mm ({fit.model})"
    if is_guess(profile.camera):
        return Check("lens", Mark.NOTE, f"a guess, not fitted; {said}", "run `hanafuda calibrate lens` once")
    if held > _UNEVEN_MM:
        return Check("lens", Mark.NOTE, said, "smooth the mat and clear it: the light does not fall onto one plane")
    return Check("lens", Mark.WELL, said)


def _moved(profile: Profile, view: TableView, fit: ProjectorFit) -> tuple[Check, ...]:
    """How far mat and light lie from where the former profile had them."""
    x, y = profile.mat_mm[0] / 2, profile.mat_mm[1] / 2
    corners = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    before = profile.view().table_mm(view.camera_px(corners))
    checks = [Check("mat", Mark.WELL, f"{_far(before - corners)} from where the profile had it")]
    if profile.projector is not None:
        light = profile.projector.map.table_mm(fit.map.map(corners))
        checks.append(Check("projector", Mark.WELL, f"light lies {_far(light - corners)} from the former calibration"))
    return tuple(checks)


def _far(shifts: NDArray[np.float64]) -> str:
    return f"{float(np.linalg.norm(shifts, axis=1).max()):.1f} mm"
