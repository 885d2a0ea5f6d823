"""Audit events and scores are written once: the database itself refuses to change or delete them."""

from django.db import migrations

TABLES = ("leaderboard_auditevent", "leaderboard_score")

REFUSE = """
CREATE FUNCTION leaderboard_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
"""


def trigger(table: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION leaderboard_refuse_change()",
        f"DROP TRIGGER append_only ON {table}",
    )


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0001_initial")]
    operations = [
        migrations.RunSQL(REFUSE, "DROP FUNCTION leaderboard_refuse_change()"),
        *(trigger(table) for table in TABLES),
    ]
