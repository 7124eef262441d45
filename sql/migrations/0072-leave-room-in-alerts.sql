-- What is counted and claimed is written in place: a row that finds room on its page needs no new entry in any index.
alter table alerts set (fillfactor = 70);
alter table alert_deliveries set (fillfactor = 70);
