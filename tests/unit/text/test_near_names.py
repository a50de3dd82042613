import pytest

from hooklore.text.near_names import find_near_names


@pytest.mark.parametrize(
    ("name", "limit", "likeness", "found"),
    [
        ("config:prot", 3, 0.6, ["config:port", "config:ports"]),
        ("config:prot", 1, 0.6, ["config:port"]),
        ("config:prot", 3, 0.95, []),
        ("ポート", 3, 0.6, ["ポート番号"]),
        ("", 3, 0.6, []),
    ],
)
def test_the_names_most_like_another_come_first(
    name: str, limit: int, likeness: float, found: list[str]
) -> None:
    names = ["config:ports", "zone", "config:port", "ポート番号"]

    assert find_near_names(name, iter(names), limit, likeness) == found
