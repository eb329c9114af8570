namespace Transfer.S3.Wire;

/// <summary>An object of a batch that the store did not delete.</summary>
/// <param name="Key">The key as the store returned it.</param>
/// <param name="VersionId">The version, if any.</param>
/// <param name="Error">The error of this object.</param>
internal sealed record RefusedDeletion(string Key, string? VersionId, WireException Error)
{
    /// <summary>Creates the error of an object from its code and message in the response to a batch.</summary>
    public static RefusedDeletion From(string? key, string? versionId, string? code, string? message, StoreResponse response)
    {
        if (string.IsNullOrEmpty(key) || string.IsNullOrEmpty(code))
        {
            throw response.Failure(FailureKind.Transient, "the response contains an error without a key or a code");
        }

        WireException error = new(GetKind(code), string.IsNullOrEmpty(message) || message == code ? code : $"{code}: {message}")
        {
            StatusCode = response.Status == 0 ? null : response.Status,
            ErrorCode = code,
            RequestId = response.RequestId,
            Hint = ErrorKinds.GetHint(code),
        };
        return new RefusedDeletion(key, versionId, error);
    }

    private static FailureKind GetKind(string code) => code == "PreconditionFailed" ? FailureKind.PreconditionFailed : ErrorKinds.Classify(0, code);
}
