/* SPDX-License-Identifier: Apache-2.0 */
/* xml.h -- private to fmi: writing of XML. */
#ifndef RUBATO_FMI_XML_H
#define RUBATO_FMI_XML_H

#include "base/base.h"

void xml_escaped(Text *out, const char *text);
void xml_attribute(Text *out, const char *name,
                   const char *value); /* with a space before */
/* The shortest text that reads back as the same number. */
void xml_number(Text *out, double value);
void xml_number_attribute(Text *out, const char *name, double value);

#endif
