// Package sqlite is a share.Store in one SQLite file, for `newt serve`. Several processes may open the
// same file.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/newtlab/newt/runner/share"
	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// The errors of Open, and of a Store besides share.ErrFull and share.ErrBusy.
var (
	ErrCorrupt  = errors.New("the file of short links is damaged, or is no such file")
	ErrReadOnly = errors.New("the file of short links cannot be written")
)

// Options bound a Store.
type Options struct {
	MaxRows  int64            // links; 0 means 1,000,000
	MaxBytes int64            // bytes of all values; 0 means 4 GiB
	Now      func() time.Time // nil means time.Now
}

// Store implements share.Store.
type Store struct {
	db      *sql.DB
	options Options
	writing chan struct{} // one writer at a time: SQLite has no queue for them

	mu    sync.Mutex
	swept time.Time
}

// sweepInterval is the least time between two deletions of expired rows by Put; sweepRows bounds the rows of one.
const (
	sweepInterval = time.Minute
	sweepRows     = 1000
)

// busyTimeout is how long a statement waits for another process, in milliseconds.
const busyTimeout = 2000

// schema creates the tables. The totals are kept by the file itself, so that every process sees the same ones.
const schema = `
CREATE TABLE IF NOT EXISTS shares (id TEXT PRIMARY KEY, value BLOB NOT NULL, until INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS shares_until ON shares (until) WHERE until > 0;
CREATE TABLE IF NOT EXISTS totals (one INTEGER PRIMARY KEY CHECK (one = 1), rows INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
INSERT OR IGNORE INTO totals VALUES (1, 0, 0);
CREATE TRIGGER IF NOT EXISTS shares_put AFTER INSERT ON shares BEGIN
	UPDATE totals SET rows = rows + 1, bytes = bytes + length(new.value);
END;
CREATE TRIGGER IF NOT EXISTS shares_delete AFTER DELETE ON shares BEGIN
	UPDATE totals SET rows = rows - 1, bytes = bytes - length(old.value);
END;
`

// Open opens the file at path, and creates it and its folders, accessible to this user alone, if they do not exist.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if o.MaxRows == 0 {
		o.MaxRows = 1_000_000
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 4 << 30
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := createFile(path); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	db, err := sql.Open("sqlite", dataSourceName(path))
	if err != nil {
		return nil, classify(err)
	}
	s := &Store{db: db, options: o, writing: make(chan struct{}, 1)}
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	if _, err := db.ExecContext(ctx, schema); err != nil {
		db.Close()
		return nil, classify(err)
	}
	return s, nil
}

// createFile creates the file before SQLite does, so that it is never readable by others.
func createFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// dataSourceName returns the file's name for the driver. Write transactions take their lock at the beginning, so that
// they cannot deadlock.
func dataSourceName(path string) string {
	query := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout),
		"journal_mode(WAL)", "synchronous(NORMAL)", "secure_delete(1)", "trusted_schema(0)",
	}}
	slashed := filepath.ToSlash(path)
	if filepath.IsAbs(path) && !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/… is file:///C:/…
	}
	if !filepath.IsAbs(path) {
		return "file:" + (&url.URL{Path: slashed}).EscapedPath() + "?" + query.Encode()
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}).String()
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }

// Put implements share.Store. A full store deletes expired rows before it refuses.
func (s *Store) Put(ctx context.Context, id string, value []byte, until time.Time) (bool, error) {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return false, share.ErrBusy
	}
	if err := s.deleteExpired(ctx, false); err != nil {
		return false, err
	}
	created, err := s.insertRow(ctx, id, value, until)
	if errors.Is(err, share.ErrFull) {
		if err := s.deleteExpired(ctx, true); err != nil {
			return false, err
		}
		created, err = s.insertRow(ctx, id, value, until)
	}
	return created, err
}

// insertRow inserts a row if there is room for its size, in one statement, so that no other process can take the room.
func (s *Store) insertRow(ctx context.Context, id string, value []byte, until time.Time) (bool, error) {
	const add = `INSERT INTO shares SELECT ?, ?, ? FROM totals
		WHERE rows < ? AND bytes + ? <= ? ON CONFLICT (id) DO NOTHING`
	const has = `SELECT EXISTS (SELECT 1 FROM shares WHERE id = ?)`
	done, err := s.db.ExecContext(ctx, add,
		id, value, unixTime(until), s.options.MaxRows, len(value), s.options.MaxBytes)
	if err != nil {
		return false, classify(err)
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err == nil, classify(err)
	}
	var taken bool
	if err := s.db.QueryRowContext(ctx, has, id).Scan(&taken); err != nil {
		return false, classify(err)
	}
	if !taken {
		return false, share.ErrFull
	}
	return false, nil
}

// unixTime converts a time for the table; 0 is never.
func unixTime(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// deleteExpired deletes rows whose time has passed, if sweepInterval has passed or now is true.
func (s *Store) deleteExpired(ctx context.Context, now bool) error {
	s.mu.Lock()
	moment := s.options.Now()
	due := now || moment.Sub(s.swept) >= sweepInterval
	if due {
		s.swept = moment
	}
	s.mu.Unlock()
	if !due {
		return nil
	}
	const remove = `DELETE FROM shares WHERE id IN (SELECT id FROM shares WHERE until > 0 AND until <= ? LIMIT ?)`
	_, err := s.db.ExecContext(ctx, remove, moment.Unix(), sweepRows)
	return classify(err)
}

// Get implements share.Store.
func (s *Store) Get(ctx context.Context, id string) ([]byte, error) {
	var value []byte
	err := s.db.QueryRowContext(ctx, `SELECT value FROM shares WHERE id = ?`, id).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, share.ErrNotFound
	}
	return value, classify(err)
}

// Each calls do for each value whose time has not passed; until is zero where it never does. An error of do ends it.
func (s *Store) Each(ctx context.Context, do func(id string, value []byte, until time.Time) error) error {
	rows, err := s.db.QueryContext(ctx, `SELECT id, value, until FROM shares WHERE until = 0 OR until > ?`,
		s.options.Now().Unix())
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var value []byte
		var seconds int64
		if err := rows.Scan(&id, &value, &seconds); err != nil {
			return classify(err)
		}
		until := time.Time{}
		if seconds > 0 {
			until = time.Unix(seconds, 0)
		}
		if err := do(id, value, until); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// Delete implements share.Store.
func (s *Store) Delete(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM shares WHERE id = ?`, id)
	return classify(err)
}

// errorKinds are the errors for SQLite's result codes.
var errorKinds = map[int]error{
	lib.SQLITE_FULL: share.ErrFull, lib.SQLITE_BUSY: share.ErrBusy, lib.SQLITE_LOCKED: share.ErrBusy, lib.SQLITE_INTERRUPT: share.ErrBusy,
	lib.SQLITE_CORRUPT: ErrCorrupt, lib.SQLITE_NOTADB: ErrCorrupt,
	lib.SQLITE_READONLY: ErrReadOnly, lib.SQLITE_PERM: ErrReadOnly, lib.SQLITE_CANTOPEN: ErrReadOnly,
}

// classify wraps an error of the driver in the one that it means here.
func classify(err error) error {
	var e *driver.Error
	if !errors.As(err, &e) {
		return err
	}
	// The low byte of an extended result code is the primary one.
	if kind := errorKinds[e.Code()&0xff]; kind != nil {
		return fmt.Errorf("%w: %w", kind, err)
	}
	return err
}
