namespace Transfer.S3.TransferUtility;

public sealed partial class TransferUtilityAdapter
{
    /// <inheritdoc/>
    public Task AbortMultipartUploadsAsync(string bucketName, DateTime initiatedDate, CancellationToken cancellationToken = default)
        => Sdk(nameof(AbortMultipartUploadsAsync)).AbortMultipartUploadsAsync(bucketName, initiatedDate, cancellationToken);

    /// <inheritdoc/>
    public void AbortMultipartUploads(string bucketName, DateTime initiatedDate) => Blocking.Wait(AbortMultipartUploadsAsync(bucketName, initiatedDate));
}
