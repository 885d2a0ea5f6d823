"""What is written once: the database itself refuses to change or delete audit events, scores and scored evaluations."""

from django.db import migrations

TABLES = ("leaderboard_auditevent", "leaderboard_score")

REFUSE = """
CREATE FUNCTION leaderboard_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
"""


def trigger(table: str, condition: str = "true") -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION leaderboard_refuse_change()",
        f"DROP TRIGGER append_only ON {table}",
    )


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0001_initial")]
    operations = [
        migrations.RunSQL(REFUSE, "DROP FUNCTION leaderboard_refuse_change()"),
        *(trigger(table) for table in TABLES),
        trigger("leaderboard_evaluation", "OLD.status = 'scored'"),
    ]
