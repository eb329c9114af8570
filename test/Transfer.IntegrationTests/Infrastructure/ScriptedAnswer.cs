using System.Text;

namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>Bytes that a <see cref="ScriptedServer"/> answers with, right or wrong.</summary>
/// <param name="Bytes">All of the answer, from its status line.</param>
/// <param name="ThenClose">Whether the connection ends behind it.</param>
internal sealed record ScriptedAnswer(byte[] Bytes, bool ThenClose = false)
{
    /// <summary>What comes behind that, again and again for as long as anybody reads it; null where the answer ends.</summary>
    public byte[]? Endlessly { get; init; }

    /// <summary>Head and body as they are; every line of the head ends in CR LF, and its empty last line is added.</summary>
    public static ScriptedAnswer Of(string head, byte[]? body = null, bool thenClose = false)
        => new([.. Encoding.Latin1.GetBytes(head + "\r\n\r\n"), .. body ?? []], thenClose);

    /// <summary>An answer with a body of text whose length is announced.</summary>
    public static ScriptedAnswer Text(string head, string body) => Of($"{head}\r\nContent-Length: {Encoding.UTF8.GetByteCount(body)}", Encoding.UTF8.GetBytes(body));

    /// <summary>An S3 error.</summary>
    public static ScriptedAnswer Error(int status, string code, string more = "", string headers = "")
        => Text($"HTTP/1.1 {status} No\r\nx-amz-request-id: R1{headers}", $"<Error><Code>{code}</Code><Message>no</Message>{more}</Error>");

    /// <summary>The range that was asked for of an object, as a store that does everything right answers.</summary>
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
