# The image of every process of the server; docker-compose.yml says which command each runs.
FROM python:3.13-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY evaluator evaluator
COPY plugins plugins
COPY leaderboard leaderboard
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir -c constraints.txt '.[server]'

FROM python:3.13-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /nonexistent cirboard \
    && install -d -o cirboard -m 0750 /volumes/public /volumes/artefacts \
    && install -d -o cirboard -m 0700 /volumes/sealed /volumes/signing
COPY --from=build /venv /venv
COPY manage.py /app/manage.py
WORKDIR /app
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=leaderboard.settings \
    CIRBOARD_PUBLIC_ROOT=/volumes/public \
    CIRBOARD_ARTEFACTS_ROOT=/volumes/artefacts \
    CIRBOARD_STATIC_ROOT=/app/static \
    OMP_NUM_THREADS=1 \
    OPENBLAS_NUM_THREADS=1
RUN python manage.py collectstatic --no-input
USER cirboard
EXPOSE 8000
CMD ["gunicorn", "leaderboard.wsgi", "--config=python:leaderboard.web.gunicorn_conf", "--bind=0.0.0.0:8000"]
