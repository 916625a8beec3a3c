# Warnings are errors; the sanitizers are for the whole program or not at all.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(MAUI_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
