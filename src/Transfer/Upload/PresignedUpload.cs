using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>An upload whose parts somebody without credentials sends, such as a browser: <see cref="ITransferClient.PresignUploadAsync"/> creates it.</summary>
/// <remarks>
/// <para>
/// Keep it on the server until the upload is complete: in a database, or as JSON that is encrypted and given to whoever uploads. It says which object is published, so
/// never accept one that others can have changed. Give only <see cref="Parts"/> to whoever uploads.
/// </para>
/// <para>
/// Nothing is published before <see cref="ITransferClient.CompleteUploadAsync"/>. An upload that is never completed uses storage that you pay for, until
/// <see cref="ITransferClient.AbortUploadAsync"/> or <see cref="ITransferClient.AbortUploadsAsync"/> aborts it, or a lifecycle rule of the bucket.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using System.Text.Json;
///
/// PresignedUpload upload = await client.PresignUploadAsync("bucket", "video.mp4", length: 100L &lt;&lt; 20);
/// string kept = JsonSerializer.Serialize(upload with { Parts = [] });
/// // The parts are sent. Then:
/// PresignedUpload sent = JsonSerializer.Deserialize&lt;PresignedUpload&gt;(kept)!;
/// UploadResult result = await client.CompleteUploadAsync(sent);
/// </code>
/// </example>
public sealed record PresignedUpload
{
    /// <summary>Gets the name of the bucket.</summary>
    public required string Bucket { get; init; }

    /// <summary>Gets the key of the object.</summary>
    public required string Key { get; init; }

    /// <summary>Gets the ID of the multipart upload.</summary>
    public required string UploadId { get; init; }

    /// <summary>Gets the number of bytes of the object.</summary>
    public required long Length { get; init; }

    /// <summary>Gets the size of the parts, in bytes. The last part has the rest.</summary>
    public required long PartSizeBytes { get; init; }

    /// <summary>Gets the time when the upload was created.</summary>
    public required DateTimeOffset Created { get; init; }

    /// <summary>Gets how long URLs work after they are signed.</summary>
    public required TimeSpan Lifetime { get; init; }

    /// <summary>Gets the options of the object. <see cref="UploadOptions.Checksum"/> is <see cref="ChecksumAlgorithm.None"/> if the parts have no checksums.</summary>
    public required UploadOptions Options { get; init; }

    /// <summary>Gets the parts to send: all of them after <see cref="ITransferClient.PresignUploadAsync"/>, and the missing ones after <see cref="ITransferClient.PresignMissingPartsAsync"/>.</summary>
    public IReadOnlyList<PresignedPart> Parts { get; init; } = [];

    /// <summary>Gets the number of parts of the whole upload. An empty object has one part without bytes.</summary>
    [JsonIgnore]
    public int PartCount => PartSizeBytes <= 0 ? 0 : (int)Math.Clamp((Length / PartSizeBytes) + (Length % PartSizeBytes == 0 ? 0 : 1), 1, int.MaxValue);

    /// <summary>Returns the object and the sizes of the upload, without its ID or URLs.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"s3://{Bucket}/{Key}: {Length} bytes in {PartCount} parts";

    internal PresignedPart GetPart(int number)
    {
        long offset = (number - 1) * PartSizeBytes;
        return new PresignedPart { Number = number, Offset = offset, Length = Math.Min(PartSizeBytes, Length - offset) };
    }
}
