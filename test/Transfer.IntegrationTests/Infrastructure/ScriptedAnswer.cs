using System.Text;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A valid or invalid response of a <see cref="ScriptedServer"/>.</summary>
/// <param name="Bytes">The whole response, starting with its status line.</param>
/// <param name="ThenClose">Whether the connection is closed after the response.</param>
internal sealed record ScriptedAnswer(byte[] Bytes, bool ThenClose = false)
{
    /// <summary>Gets bytes that follow the response repeatedly as long as the client reads them; null for a response that ends.</summary>
    public byte[]? Endlessly { get; init; }

    /// <summary>Creates a response from head and body. Every line of the head ends in CR LF, and the empty last line is added.</summary>
    public static ScriptedAnswer Of(string head, byte[]? body = null, bool thenClose = false)
        => new([.. Encoding.Latin1.GetBytes(head + "\r\n\r\n"), .. body ?? []], thenClose);

    /// <summary>Creates a response with a text body and its length.</summary>
    public static ScriptedAnswer Text(string head, string body) => Of($"{head}\r\nContent-Length: {Encoding.UTF8.GetByteCount(body)}", Encoding.UTF8.GetBytes(body));

    /// <summary>Creates an S3 error response.</summary>
    public static ScriptedAnswer Error(int status, string code, string more = "", string headers = "")
        => Text($"HTTP/1.1 {status} No\r\nx-amz-request-id: R1{headers}", $"<Error><Code>{code}</Code><Message>no</Message>{more}</Error>");

    /// <summary>Returns the requested range of an object, as a correct store does.</summary>
    public static ScriptedAnswer Range(ScriptedRequest request, byte[] content, string headers = "\r\nETag: \"e\"")
    {
        int start = request.RangeStart ?? 0;
        if (start >= content.Length)
        {
            return Error(416, "InvalidRange");
        }

        int end = Math.Min(request.RangeEnd ?? int.MaxValue, content.Length - 1);
        return Of(
            $"HTTP/1.1 206 Partial Content\r\nx-amz-request-id: R1\r\nContent-Range: bytes {start}-{end}/{content.Length}\r\nContent-Length: {end - start + 1}{headers}",
            content[start..(end + 1)]);
    }
}
