import pytest

from hooklore.shell.test_outcome import parse_test_outcome


@pytest.mark.req("HK-16")
@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("12 passed, 0 failed", "success"),
        ("0 failed, 12 passed", "success"),
        ("===== 12 passed in 0.10s =====", "success"),
        ("===== 1 failed, 3 passed in 0.12s =====", "failure"),
        ("1 error in 0.10s", "failure"),
        ("Tests:       1 failed, 2 passed, 3 total", "failure"),
        ("Test Files  1 failed | 3 passed (4)", "failure"),
        (" 3 pass\n 0 fail", "success"),
        (" 3 pass\n 1 fail", "failure"),
        ("ok  \texample.com/x\t0.1s", "success"),
        ("FAIL\texample.com/x\t0.1s", "failure"),
        ("test result: ok. 3 passed; 0 failed; 0 ignored", "success"),
        ("FAILED (failures=1, errors=2)", "failure"),
        ("Tests run: 4, Failures: 0, Errors: 0", "success"),
        ("12 examples, 0 failures", "success"),
        ("# pass 3\n# fail 1", "failure"),
        ("there were 3 errors in my code", None),
        ("the build failed", None),
        ("success", None),
        ("", None),
    ],
)
def test_counts_decide_and_words_do_not(output: str, outcome: str | None) -> None:
    assert parse_test_outcome(output) == outcome
