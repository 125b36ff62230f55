ALTER TABLE "alert_views" DROP CONSTRAINT "alert_views_alert_id_alerts_id_fk";
