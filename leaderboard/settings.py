"""Settings, all read from the environment. README.md and docs/server.md list the variables."""

import os
from pathlib import Path

from celery.schedules import schedule
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

BASE_DIR = Path(__file__).parents[1]
HERE = Path(__file__).parent
DEVELOPMENT_SECRET = "for-development-only-" + "0" * 40


def _path(name: str, default: Path) -> Path:
    return Path(os.environ.get(name, default))


PROFILE = os.environ.get("CIRBOARD_PROFILE", "development")
if PROFILE not in {"development", "local", "production"}:
    # A misspelt production would otherwise run with the development secret.
    raise ImproperlyConfigured(f"CIRBOARD_PROFILE is {PROFILE!r}; it can be development, local or production")
DEBUG = os.environ.get("CIRBOARD_DEBUG", "0") == "1"
SECRET_KEY = os.environ.get("CIRBOARD_SECRET_KEY", DEVELOPMENT_SECRET)
if PROFILE == "production" and (len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 10 or SECRET_KEY == DEVELOPMENT_SECRET):
    raise ImproperlyConfigured("set CIRBOARD_SECRET_KEY to 50 or more random characters")
ALLOWED_HOSTS = os.environ.get("CIRBOARD_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1],testserver").split(",")
CSRF_TRUSTED_ORIGINS = [o for o in os.environ.get("CIRBOARD_TRUSTED_ORIGINS", "").split(",") if o]
HTTPS = os.environ.get("CIRBOARD_HTTPS", "1" if PROFILE == "production" else "0") == "1"

# ---- where things are ----
DATA_ROOT = _path("CIRBOARD_DATA", BASE_DIR / ".cirboard")
PUBLIC_ROOT = _path("CIRBOARD_PUBLIC_ROOT", DATA_ROOT / "public")
ARTEFACTS_ROOT = _path("CIRBOARD_ARTEFACTS_ROOT", DATA_ROOT / "artefacts")
# Only the score worker and the command that installs benchmarks are given it: everywhere else there is none.
SEALED_ROOT = Path(os.environ["CIRBOARD_SEALED_ROOT"]) if "CIRBOARD_SEALED_ROOT" in os.environ else None
NO_SEALED_ROOT = (
    "Scoring and installing a benchmark need ground truth: set CIRBOARD_SEALED_ROOT to the folder of the sealed sides. "
    "No other process may have it."
)

# Only the score worker and the command that draws the key are told where it lies.
SIGNING_KEY = Path(os.environ["CIRBOARD_SIGNING_KEY"]) if "CIRBOARD_SIGNING_KEY" in os.environ else None
NO_SIGNING_KEY = (
    "Scoring signs a receipt: set CIRBOARD_SIGNING_KEY to the file of the private key, which "
    "`manage.py create_signing_key` draws. No other process may have it."
)
# Receipts name it as the place where the keys are.
ADDRESS = os.environ.get("CIRBOARD_ADDRESS") or f"{'https' if HTTPS else 'http'}://{ALLOWED_HOSTS[0]}"

# Threads of one web process. Each holds a database connection while it answers, also while an upload trickles in, so the
# pool has one for each: with the three processes of production 72 of PostgreSQL's 100.
WEB_THREADS = 24

DATABASE_URL = os.environ.get("CIRBOARD_DATABASE_URL", "postgresql://cirboard@localhost:5432/cirboard")
BROKER_URL = os.environ.get("CIRBOARD_BROKER_URL", "redis://localhost:6379/0")
CACHE_URL = os.environ.get("CIRBOARD_CACHE_URL", "redis://localhost:6379/1")

# ---- Django ----
INSTALLED_APPS = [
    "leaderboard.apps.LeaderboardConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "leaderboard.web.guards.refuse_unreadable",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "leaderboard.web.guards.BoundedBodies",
]
ROOT_URLCONF = "leaderboard.urls"
WSGI_APPLICATION = "leaderboard.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [HERE / "web" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "leaderboard.web.context.site",
            ],
            "libraries": {"tags": "leaderboard.web.tags"},
        },
    }
]


def database_settings(url: str) -> dict[str, object]:
    parts = conninfo_to_dict(url)
    # Only the web keeps a pool: a pool does not survive the fork of a Celery worker.
    has_pool = os.environ.get("CIRBOARD_DATABASE_POOL") == "1"
    pool = {"min_size": 1, "max_size": WEB_THREADS, "timeout": 10} if has_pool else False
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.get("dbname", "cirboard"),
        "USER": parts.get("user", ""),
        "PASSWORD": parts.get("password", ""),
        "HOST": parts.get("host", ""),
        "PORT": str(parts.get("port", "")),
        "CONN_HEALTH_CHECKS": True,
        "CONN_MAX_AGE": 0 if pool else 60,
        "OPTIONS": {"pool": pool, "connect_timeout": 5},
    }


DATABASES = {"default": database_settings(DATABASE_URL)}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": CACHE_URL}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
USE_I18N = False

STATIC_URL = "static/"
STATIC_ROOT = _path("CIRBOARD_STATIC_ROOT", DATA_ROOT / "static")
STATICFILES_DIRS = [HERE / "web" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# ---- accounts ----
AUTH_USER_MODEL = "leaderboard.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "leaderboard.web.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = os.environ.get(
    "CIRBOARD_EMAIL_VERIFICATION", "mandatory" if PROFILE == "production" else "none"
)
ACCOUNT_PREVENT_ENUMERATION = True
# Attempts are counted per address of a client: in production the one that the proxy saw, not the proxy's own.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if PROFILE == "production" else 0

# ---- e-mail ----
EMAIL_HOST = os.environ.get("CIRBOARD_EMAIL_HOST", "")
EMAIL_BACKEND = os.environ.get(
    "CIRBOARD_EMAIL_BACKEND", f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
)
EMAIL_PORT = int(os.environ.get("CIRBOARD_EMAIL_PORT", "587"))
EMAIL_HOST_USER = os.environ.get("CIRBOARD_EMAIL_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("CIRBOARD_EMAIL_PASSWORD", "")
EMAIL_TLS = os.environ.get("CIRBOARD_EMAIL_TLS", "starttls")
if EMAIL_TLS not in {"starttls", "tls", "none"}:
    raise ImproperlyConfigured(f"CIRBOARD_EMAIL_TLS is {EMAIL_TLS!r}; it can be starttls, tls or none")
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_TLS == "starttls", EMAIL_TLS == "tls"
# Whoever signs up waits for the mail server.
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("CIRBOARD_EMAIL_FROM") or f"CIRBoard <noreply@{ALLOWED_HOSTS[0]}>"

# ---- safety ----
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
UPLOAD_LIMIT_BYTES = int(os.environ.get("CIRBOARD_UPLOAD_LIMIT_BYTES", "500000000"))
# A dry run is checked while its sender waits.
DRY_RUN_LIMIT_BYTES = 64 * 1024**2
DRY_RUN_LIMIT_S = 20.0
DRY_RUN_CPU_LIMIT_S = 10
DRY_RUN_MEMORY_BYTES = 1024**3
# On the whole server.
DRY_RUN_SLOTS = 2
# In each web process, and how long one waits for its turn.
DRY_RUNS_AT_ONCE = 2
DRY_RUN_WAIT_S = 10.0
# Django reads multipart uploads into temporary files; only form fields stay in memory.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1 * 1024**2

# ---- API ----
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "leaderboard.web.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["leaderboard.web.authentication.MayWriteIfSubmitter"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "leaderboard.web.api.pages.BoundedPages",
    "PAGE_SIZE": 50,
    "EXCEPTION_HANDLER": "leaderboard.web.errors.handle_api_error",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "CIRBoard API",
    "DESCRIPTION": "Benchmarks, submissions and leaderboards of composed image retrieval.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
}

# ---- work ----
LEASE_S = int(os.environ.get("CIRBOARD_LEASE_S", "15"))
HEARTBEAT_S = LEASE_S / 3
# How long a worker holds a finished result for a database that is away.
RECONNECT_WITHIN_S = 4 * LEASE_S
SWEEP_S = 3
MAX_ATTEMPTS = 5
# After a second attempt that did not finish; four times as long after each further one.
RETRY_PAUSE_S = 10
# 260 MB of JSON, near the largest that fit into a check's memory, take 7 s, and others wait meanwhile. Scoring is
# stopped when something must be wrong.
CHECK_CPU_LIMIT_S = 20
CHECK_LIMIT_S = 45.0
SCORE_LIMIT_S = 1800
# A row that waits this long without being claimed is woken again, the oldest first, and no more of them at a time
# than this: a long queue must not flood the broker with messages for work that is merely waiting.
REWAKE_S = LEASE_S / 2
REWAKE_LIMIT = 50

CELERY_BROKER_URL = BROKER_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_DEFAULT_QUEUE = "control"
CELERY_TASK_ROUTES = {"score_run": {"queue": "score"}, "sweep": {"queue": "sweep"}}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    # Without these a killed worker's task did not return within a minute.
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    # A dead broker must fail an enqueue within the upload's request, not hang it.
    "socket_connect_timeout": 2,
    "socket_timeout": 5,
    "max_retries": 0,
}
# What the web may wait for a broker that does not answer, while somebody waits for the web.
PRODUCER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 1, "connect_retries_timeout": 1}
CELERY_BEAT_SCHEDULE = {
    "tidy": {"task": "tidy", "schedule": schedule(300), "options": {"expires": 300}},
    "sweep": {"task": "sweep", "schedule": schedule(SWEEP_S), "options": {"expires": 2 * SWEEP_S}},
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "formatters": {"plain": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}
