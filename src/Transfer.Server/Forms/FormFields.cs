using System.Buffers;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Net.Http.Headers;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Forms;

/// <summary>The fields of a form before its file, under their lower-case names.</summary>
internal sealed class FormFields
{
    /// <summary>The limit of S3 for what precedes the file (Amazon S3 API Reference, "POST Object").</summary>
    private const int MaximumBytes = 20 << 10;
    private const int MaximumHeaderBytes = 4096;
    private static readonly SearchValues<char> NameCharacters = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~");
    private readonly Dictionary<string, string> _fields = new(StringComparer.OrdinalIgnoreCase);

    private FormFields()
    {
    }

    public IReadOnlyDictionary<string, string> All => _fields;

    public string? this[string name] => _fields.GetValueOrDefault(name);

    /// <summary>Gets a field; throws an S3 error if the form doesn't have it.</summary>
    public string Require(string name) => this[name]
        ?? throw S3Errors.InvalidArgument($"Bucket POST must contain a field named '{name}'. If it is specified, please check the order of the fields.", name, value: null);

    /// <summary>Reads the fields, and returns them with the file, whose content hasn't been read.</summary>
    public static async Task<(FormFields Fields, Stream File)> ReadAsync(S3Exchange exchange)
    {
        var reader = new MultipartReader(Boundary(exchange), exchange.Http.Request.Body)
        {
            HeadersLengthLimit = MaximumHeaderBytes,
            BodyLengthLimit = null,
        };
        exchange.HasBodyBegun = true;
        var form = new FormFields();
        int left = MaximumBytes;
        try
        {
            while (await reader.ReadNextSectionAsync(exchange.Aborted).ConfigureAwait(false) is { } section)
            {
                if (!ContentDispositionHeaderValue.TryParse(section.ContentDisposition, out ContentDispositionHeaderValue? disposition)
                    || HeaderUtilities.RemoveQuotes(disposition.Name).ToString() is not { Length: > 0 } name)
                {
                    throw S3Errors.MalformedPostRequest();
                }

                if (string.Equals(name, "file", StringComparison.OrdinalIgnoreCase))
                {
                    form.SetFileName(HeaderUtilities.RemoveQuotes(disposition.FileName).ToString());
                    return (form, section.Body);
                }

                form._fields[name] = await ReadTextAsync(section.Body, left, exchange.Aborted).ConfigureAwait(false);
                left -= name.Length + form._fields[name].Length;
            }
        }
        catch (Exception exception) when (exception is InvalidDataException or IOException)
        {
            throw S3Errors.MalformedPostRequest();
        }

        throw S3Errors.InvalidArgument("POST requires exactly one file upload per request.", "file", "0");
    }

    private static string Boundary(S3Exchange exchange) =>
        MediaTypeHeaderValue.TryParse(exchange.Http.Request.ContentType, out MediaTypeHeaderValue? type) && HeaderUtilities.RemoveQuotes(type.Boundary).ToString() is { Length: > 0 and <= 200 } boundary
            ? boundary
            : throw S3Errors.MalformedPostRequest();

    private static async Task<string> ReadTextAsync(Stream stream, int maximum, CancellationToken cancellationToken)
    {
        byte[] bytes = new byte[Math.Max(maximum, 0) + 1];
        int count = await stream.ReadAtLeastAsync(bytes, bytes.Length, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false);
        return count <= maximum ? Encoding.UTF8.GetString(bytes, 0, count) : throw S3Errors.MaxPostPreDataLengthExceeded();
    }

    /// <summary>Puts the name of the file, without its folders, into the fields that refer to it.</summary>
    private void SetFileName(string fileName)
    {
        string name = fileName[(fileName.LastIndexOfAny(['/', '\\']) + 1)..];
        foreach (string field in _fields.Keys.ToList())
        {
            _fields[field] = _fields[field].Replace("${filename}", name, StringComparison.Ordinal);
        }
    }

    /// <summary>Gets the fields as the headers of a PutObject request that stores the same object.</summary>
    /// <exception cref="S3Exception">Thrown when a field can't be a header, because then no response could have it.</exception>
    public IHeaderDictionary ToHeaders()
    {
        var headers = new HeaderDictionary();
        foreach ((string name, string value) in _fields.Where(static field => field.Key.ToLowerInvariant() is not ("tagging" or "policy" or "key")))
        {
            if (name.AsSpan().ContainsAnyExcept(NameCharacters) || value.Any(char.IsControl))
            {
                throw S3Errors.InvalidArgument("A field of the form has characters that a header can't have.", name, value: null);
            }

            headers[string.Equals(name, "acl", StringComparison.OrdinalIgnoreCase) ? "x-amz-acl" : name] = value;
        }

        return headers;
    }
}
