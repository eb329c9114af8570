namespace Transfer.S3;

/// <summary>One part of a <see cref="PresignedUpload"/>: which bytes it has, and the request that sends it.</summary>
/// <remarks>
/// Send the bytes as the body of a PUT request to <see cref="Url"/>, with <see cref="Headers"/>. The length of the body is part of the signature, so the store refuses
/// another one. Whoever has the URL can send the part until it expires.
/// </remarks>
/// <example>
/// <code>
/// using Microsoft.Win32.SafeHandles;
///
/// using SafeFileHandle file = File.OpenHandle("video.mp4");
/// using HttpClient http = new();
/// foreach (PresignedPart part in upload.Parts)
/// {
///     byte[] content = new byte[part.Length];
///     await RandomAccess.ReadAsync(file, content, part.Offset);
///     using HttpRequestMessage request = new(HttpMethod.Put, part.Url) { Content = new ByteArrayContent(content) };
///     foreach ((string name, string value) in part.Headers)
///     {
///         request.Headers.TryAddWithoutValidation(name, value);
///     }
///
///     using HttpResponseMessage response = await http.SendAsync(request);
///     response.EnsureSuccessStatusCode();
/// }
/// </code>
/// </example>
public sealed record PresignedPart
{
    /// <summary>Gets the number of the part, from 1.</summary>
    public required int Number { get; init; }

    /// <summary>Gets the offset of the first byte in the content, in bytes.</summary>
    public required long Offset { get; init; }

    /// <summary>Gets the number of bytes.</summary>
    public required long Length { get; init; }

    /// <summary>Gets the URL; <see langword="null"/> if the upload has a checksum algorithm, and <see cref="ITransferClient.PresignPartAsync"/> must sign the checksum of the part.</summary>
    public Uri? Url { get; init; }

    /// <summary>Gets the headers that must be sent with the request. <c>Content-Length</c>, which every HTTP client sends, isn't among them.</summary>
    public IReadOnlyDictionary<string, string> Headers { get; init; } = new Dictionary<string, string>();

    /// <summary>Gets the time when the URL expires; <see langword="null"/> if there is no URL.</summary>
    /// <remarks>A URL stops working earlier if the credentials that signed it expire earlier.</remarks>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>Returns the number and the bytes of the part, without the URL, which is a secret.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"part {Number}: {Length} bytes at {Offset}";
}
