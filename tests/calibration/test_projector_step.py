from dataclasses import replace

import numpy as np
import pytest

from app.rigs.spec import Faults
from calibration.findings import Mark
from calibration.lens import Lens
from calibration.profile import dump_profile, profile_from
from calibration.projector_live import calibrate_live
from calibration.refusals import Reason, Refusal
from engine import yamlfile
from tests.app.rigs.small import MAT, SIZE, small_rig


def test_a_rig_is_calibrated_to_half_a_millimetre_and_its_profile_kept() -> None:
    rig, profile = small_rig()
    outcome = calibrate_live(rig, SIZE, profile, rig.camera_id, "2026-11-30T10:00:00Z", {"name": "beamer"})
    x, y = np.meshgrid(np.arange(-300, 301, 25.0), np.arange(-200, 201, 25.0))
    grid = np.stack([x, y], axis=-1).reshape(-1, 2)
    assert outcome.profile.projector is not None
    assert rig.overlay_error_mm(outcome.profile.projector.map.map(grid), grid).max() < 0.5
    checked = outcome.profile.validation
    assert checked is not None
    assert checked.points > 40
    assert checked.max_mm < 0.6
    assert outcome.findings.mark is Mark.WELL
    read = profile_from(yamlfile.parse(dump_profile(outcome.profile), "p.yaml"))
    assert read.projector is not None
    assert read.projector.map.map(grid) == pytest.approx(outcome.profile.projector.map.map(grid), abs=1e-9)


@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        (Faults(mirrored=True), Reason.MIRRORED),
        (Faults(swapped=(0, 2)), Reason.SWAPPED),
        (Faults(covered=frozenset({3})), Reason.COVERED_MARKERS),
    ],
    ids=lambda v: v.value if isinstance(v, Reason) else "",
)
def test_what_the_markers_tell_is_refused_before_anything_is_projected(faults: Faults, reason: Reason) -> None:
    rig, profile = small_rig(faults)
    with pytest.raises(Refusal) as caught:
        calibrate_live(rig, SIZE, profile, rig.camera_id)
    assert caught.value.reason is reason


def test_another_camera_is_refused() -> None:
    rig, profile = small_rig()
    with pytest.raises(Refusal, match="this is the camera another, the lens was calibrated for small") as caught:
        calibrate_live(rig, SIZE, profile, "another")
    assert caught.value.reason is Reason.OTHER_CAMERA


def test_another_size_is_refused() -> None:
    rig, profile = small_rig()
    other = replace(profile, camera=replace(profile.camera, size_px=(1920, 1080)))
    with pytest.raises(Refusal, match="the pictures are 960x540") as caught:
        calibrate_live(rig, SIZE, other, rig.camera_id)
    assert caught.value.reason is Reason.OTHER_SIZE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        (Faults(marker_scale=0.95), Reason.SCALED_PRINT),
        (
            Faults(cover_mm=((-214, -40), (214, -40), (214, 200), (-214, 200)), cover_height_mm=20),
            Reason.COVERED_BOARD,
        ),
        (Faults(mirrored_light=True), Reason.MIRRORED),
    ],
    ids=lambda v: v.value if isinstance(v, Reason) else "",
)
def test_what_the_light_tells_is_refused(faults: Faults, reason: Reason) -> None:
    rig, profile = small_rig(faults)
    with pytest.raises(Refusal) as caught:
        calibrate_live(rig, SIZE, profile, rig.camera_id)
    assert caught.value.reason is reason


@pytest.mark.slow
def test_a_lens_that_is_another_cameras_is_refused() -> None:
    rig, profile = small_rig()
    lens = Lens(profile.camera.lens.K, profile.camera.lens.dist + np.array([0.15, 0, 0, 0, 0]))
    with pytest.raises(Refusal) as caught:
        calibrate_live(rig, SIZE, replace(profile, camera=replace(profile.camera, lens=lens)), rig.camera_id)
    assert caught.value.reason is Reason.LENS


@pytest.mark.slow
def test_lamps_that_outshine_the_projector_are_refused() -> None:
    rig, profile = small_rig()
    rig.change(replace(rig.spec, ambient=4.0))
    with pytest.raises(Refusal) as caught:
        calibrate_live(rig, SIZE, profile, rig.camera_id)
    assert caught.value.reason is Reason.TOO_BRIGHT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("faults", "topic"), [(Faults(keystone=0.08), "projector's px"), (Faults(brightening=True), "exposure")]
)
def test_what_can_be_lived_with_is_named(faults: Faults, topic: str) -> None:
    rig, profile = small_rig(faults)
    outcome = calibrate_live(rig, SIZE, profile, rig.camera_id)
    assert {check.topic for check in outcome.findings.checks if check.mark is not Mark.WELL} >= {topic}


@pytest.mark.slow
def test_a_loud_cloth_is_read_by_gray_code() -> None:
    rig, profile = small_rig(look="patterned")
    outcome = calibrate_live(rig, SIZE, profile, rig.camera_id)
    corners = np.array([[-290, -190], [290, -190], [290, 190], [-290, 190], [0, 0]], dtype=float)
    assert rig.overlay_error_mm(outcome.fit.map.map(corners), corners).max() < 0.7
    assert outcome.profile.mat_mm == MAT
