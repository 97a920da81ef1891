#!/bin/sh
# Runs NEWT_COMMAND, and ends with its status. newt is that of this checkout, built here, unless NEWT names one.
set -eu

fail() {
	echo "::error title=newt::$1"
	exit 2
}

set -f # words are split at blanks, and patterns stay as they are
set -- $NEWT_COMMAND
command=${1:-}
case $command in
check | judge | replay) shift ;;
*) fail "the command is check, judge or replay, not ${command:-empty}" ;;
esac
case ${NEWT_PAGE:-} in
'' | http://* | https://*) ;;
*) fail 'page is no address, such as https://newt.example/' ;;
esac

if [ -z "${NEWT:-}" ]; then
	NEWT=$RUNNER_TEMP/newt$(go env GOEXE)
	# What the workflow sets for its own Go programs is not for this one.
	(cd "$(dirname "$0")/../.." &&
		GOFLAGS='' GOWORK=off CGO_ENABLED=0 go build -trimpath -buildvcs=false -o "$NEWT" ./runner)
fi

if [ -z "${NEWT_SARIF:-}" ]; then
	exec "$NEWT" "$command" --format github "$@"
fi
status=0
"$NEWT" "$command" --format sarif "$@" >"$NEWT_SARIF" || status=$?
# A command line that newt does not take leaves nothing to upload.
[ -s "$NEWT_SARIF" ] || rm -f "$NEWT_SARIF"
exit $status
