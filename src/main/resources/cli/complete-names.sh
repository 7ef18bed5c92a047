
# Completes names of locks: after "locks status" and similar commands, and after "exec --lock"; and names of services: after
# "services show" and similar commands. Asks the service for them, for at most a second. Without an answer, or without names, the
# words above are completed. For bash and zsh.
function _complete_holdfast_names() {
  local line=${COMP_LINE:0:$COMP_POINT}
  local word=${line##*[[:space:]]}
  local before=${line%"$word"}
  local program=${line%% *} rest= typed= option= words= server= list= break= breaks= kept= name= names=
  # The words so far, without options and their values. A quoted text is one word.
  rest=${before#"$program"}
  while [ -n "$rest" ]; do
    case $rest in
      [[:space:]]*) rest=${rest#?}; continue ;;
    esac
    typed=
    while [ -n "$rest" ]; do
      case $rest in
        [[:space:]]*) break ;;
        "'"*"'"*) rest=${rest#?} typed=${typed}${rest%%"'"*}. rest=${rest#*"'"} ;;
        '"'*'"'*) rest=${rest#?} typed=${typed}${rest%%'"'*}. rest=${rest#*'"'} ;;
        *) typed=$typed${rest%"${rest#?}"} rest=${rest#?} ;;
      esac
    done
    if [ -n "$option" ]; then
      option=
      continue
    fi
    case $typed in
      --) return 1 ;;
      -*)
        case ' OPTIONS_WITH_VALUE ' in
          *" $typed "*) option=$typed ;;
        esac
        ;;
      *) words="$words $typed" ;;
    esac
  done
  case $words$option in
    ' locks status' | ' locks acquire' | ' locks renew' | ' locks release' | ' locks hold') list=locks ;;
    ' exec--lock') list=locks ;;
    ' services show' | ' services put' | ' services rm' | ' services deploy' | ' services result') list=services ;;
    ' services set' | ' services history' | ' services watch') list=services ;;
    *) return 1 ;;
  esac
  case $word in
    -*) return 1 ;;
  esac
  case $before in
    *' --server '* | *' --server='*) server=${before##* --server} server=${server#?} server=${server%% *} ;;
    *' -s '*) server=${before##* -s } server=${server%% *} ;;
  esac
  if [ -n "$server" ]; then
    local -x HOLDFAST_URL=$server
  fi
  local -x HOLDFAST_TOKEN_COMMAND_TIMEOUT=1s
  names=$("$program" "$list" list ${word:+--prefix} ${word:+"$word"} --limit 100 --output plain --timeout 1s \
    2>/dev/null </dev/null | cut -f 1)
  [ -n "$names" ] || return 1
  # bash replaces only what follows the last of these characters; zsh replaces the whole word.
  if [ -n "${BASH_VERSION-}" ]; then
    for break in ':' '=' '@'; do
      case $COMP_WORDBREAKS in
        *"$break"*) breaks=$breaks$break ;;
      esac
    done
    [ -z "$breaks" ] || kept=${word%"${word##*["$breaks"]}"}
  fi
  COMPREPLY=()
  while IFS= read -r name; do
    COMPREPLY+=("${name#"$kept"}")
  done <<NAMES
$names
NAMES
}

function _complete_holdfast_and_names() {
  _complete_holdfast_names || _complete_holdfast "$@"
}

complete -F _complete_holdfast_and_names -o default holdfast
