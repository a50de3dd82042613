# Run all that a landing must pass; with names, these steps: tests extras checks bench wheel.
check *steps:
    bash .ci/run {{ steps }}

# Run the tests on two cores; arguments are pytest's.
test *arguments:
    .venv/bin/python -m pytest -q -n 3 {{ arguments }}

# Run the tests, and fail when they reach less of the source than the floor in pyproject.toml.
coverage:
    .venv/bin/python -m pytest -q -n 2 --cov

# Measure speed and size at 100 k events; `--full` at a million, too, `--check` holds them to their goals.
bench *arguments:
    .venv/bin/python -m tests.bench {{ arguments }}

# Measure speed and size beside the commit that .ci/baseline names, as a landing does.
compare *arguments:
    .venv/bin/python -m tests.bench.compare {{ arguments }}
