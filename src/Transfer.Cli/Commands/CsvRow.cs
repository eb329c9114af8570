using System.Globalization;
using System.Text;

namespace Transfer.S3.Cli.Commands;

/// <summary>Reads the rows of S3 Inventory and of manifests of S3 Batch Operations. Keys are URL-encoded, so no row has a line break.</summary>
internal static class CsvRow
{
    private const char Quote = '"';

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Splits a row into its fields, with or without quotation marks (RFC 4180).</summary>
    /// <returns>Null if a quotation mark isn't closed, or is followed by anything else than a comma.</returns>
    public static IReadOnlyList<string>? TrySplit(string row)
    {
        List<string> fields = [];
        int at = 0;
        while (true)
        {
            if (at < row.Length && row[at] == Quote)
            {
                StringBuilder field = new();
                int end = at;
                do
                {
                    int start = end + 1;
                    end = row.IndexOf(Quote, start);
                    if (end < 0)
                    {
                        return null;
                    }

                    field.Append(row, start, end - start);
                    end++;
                    if (end < row.Length && row[end] == Quote)
                    {
                        field.Append(Quote);
                    }
                    else
                    {
                        break;
                    }
                }
                while (true);

                fields.Add(field.ToString());
                at = end;
            }
            else
            {
                int end = row.IndexOf(',', at);
                end = end < 0 ? row.Length : end;
                fields.Add(row[at..end]);
                at = end;
            }

            if (at == row.Length)
            {
                return fields;
            }

            if (row[at] != ',')
            {
                return null;
            }

            at++;
        }
    }

    /// <summary>Decodes a URL-encoded key, in which + is a space.</summary>
    /// <returns>Null if it isn't a valid encoding of UTF-8.</returns>
    public static string? TryDecode(string text)
    {
        if (text.AsSpan().IndexOfAny('%', '+') < 0)
        {
            return text;
        }

        byte[] bytes = Strict.GetBytes(text);
        int length = 0;
        for (int i = 0; i < bytes.Length; i++, length++)
        {
            if (bytes[i] != (byte)'%')
            {
                bytes[length] = bytes[i] == (byte)'+' ? (byte)' ' : bytes[i];
            }
            else if (i + 2 < bytes.Length && byte.TryParse(bytes.AsSpan(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte code))
            {
                bytes[length] = code;
                i += 2;
            }
            else
            {
                return null;
            }
        }

        try
        {
            return Strict.GetString(bytes, 0, length);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }
}
