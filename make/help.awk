# The sections ("##@ title") and targets ("name: ... ## what it does") of makefiles, as a list.
/^##@ / { printf "\n%s\n", substr($0, 5); next }
/^[a-z][a-z-]*:.*## / {
  name = $0; sub(/:.*/, "", name)
  text = $0; sub(/.*## /, "", text)
  printf "  make %-14s %s\n", name, text
}
