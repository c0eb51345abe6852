# The headers by themselves: each must compile alone, in the oldest language that it promises, without a warning.

HEADER_FLAGS := -Iinclude -Wall -Wextra -Wpedantic -Werror -fsyntax-only

# $(call header_alone,compiler,standard,language,header): twice, so that its guard is tried too.
header_alone = printf '\#include "$(4)"\n\#include "$(4)"\n' | $(1) -std=$(2) $(HEADER_FLAGS) -x $(3) -

# dv.hpp and the parts that it includes.
HPP := dv.hpp $(patsubst include/%,%,$(wildcard include/dv/*.hpp))

.PHONY: test-headers
test-headers: $(LIB) | check-cc check-cxx ## compile each header alone; check soname and version numbers
	@make/step 'Headers alone' $(MAKE) headers-alone
	@make/step 'Soname, and what the library needs' make/check-library $(LIB)
	@make/step 'One version number' make/check-versions

.PHONY: headers-alone
headers-alone:
	@$(call header_alone,$(CC),c99,c,dv.h)
	@$(call header_alone,$(CC),c11,c,dv.h)
	@$(call header_alone,$(CXX),c++11,c++,dv.h)
	@$(call header_alone,$(CXX),c++17,c++,dv.h)
	@$(call header_alone,$(CXX),c++20,c++,dv.h)
	@echo 'dv.h: C99, C11, C++11, C++17, C++20'
	@$(foreach h,$(HPP),$(foreach s,c++11 c++14 c++17 c++20,$(call header_alone,$(CXX),$(s),c++,$(h)) &&)) true
	@echo 'dv.hpp and its parts: C++11, C++14, C++17, C++20'
