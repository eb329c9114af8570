using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>A multipart upload that was neither completed nor aborted.</summary>
public sealed record UnfinishedUpload
{
    /// <summary>Gets the key of the object.</summary>
    public required string Key { get; init; }

    /// <summary>Gets the ID of the upload.</summary>
    public required string UploadId { get; init; }

    /// <summary>Gets the time when the upload was created; <see langword="null"/> if the store doesn't return it.</summary>
    public DateTimeOffset? Initiated { get; init; }

    /// <summary>Gets the error because of which the upload could not be aborted, so that it is still open; <see langword="null"/> if there was none.</summary>
    [JsonConverter(typeof(ExceptionJsonConverter))]
    public TransferException? Error { get; init; }
}
