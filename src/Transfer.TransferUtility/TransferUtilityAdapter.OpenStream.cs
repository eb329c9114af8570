using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

public sealed partial class TransferUtilityAdapter
{
    /// <inheritdoc/>
    public async Task<Stream> OpenStreamAsync(string bucketName, string key, CancellationToken cancellationToken = default)
        => await OpenStreamAsync(CreateStream(bucketName, key), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<Stream> OpenStreamAsync(TransferUtilityOpenStreamRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (DownloadMapping.WhatOnlyTheSdkDoes(request) is { } option)
        {
            return await Sdk(option).OpenStreamAsync(request, cancellationToken).ConfigureAwait(false);
        }

        RequestChecks.Check(request);
        return await OpenAsync(request, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<TransferUtilityOpenStreamResponse> OpenStreamWithResponseAsync(string bucketName, string key, CancellationToken cancellationToken = default)
        => await OpenStreamWithResponseAsync(CreateStream(bucketName, key), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<TransferUtilityOpenStreamResponse> OpenStreamWithResponseAsync(TransferUtilityOpenStreamRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (DownloadMapping.WhatOnlyTheSdkDoes(request) is { } option)
        {
            return await Sdk(option).OpenStreamWithResponseAsync(request, cancellationToken).ConfigureAwait(false);
        }

        RequestChecks.CheckWithResponse(request);
        SdkUtilityMembers.RequireStreams();
        SdkReadStream stream = await OpenAsync(request, cancellationToken).ConfigureAwait(false);
        return SdkResponses.From(stream);
    }

    /// <inheritdoc/>
    public Stream OpenStream(string bucketName, string key) => Blocking.Wait(OpenStreamAsync(bucketName, key));

    /// <inheritdoc/>
    public Stream OpenStream(TransferUtilityOpenStreamRequest request) => Blocking.Wait(OpenStreamAsync(request));

    /// <inheritdoc/>
    public TransferUtilityOpenStreamResponse OpenStreamWithResponse(string bucketName, string key) => Blocking.Wait(OpenStreamWithResponseAsync(bucketName, key));

    /// <inheritdoc/>
    public TransferUtilityOpenStreamResponse OpenStreamWithResponse(TransferUtilityOpenStreamRequest request) => Blocking.Wait(OpenStreamWithResponseAsync(request));

    private static TransferUtilityOpenStreamRequest CreateStream(string bucketName, string key) => new() { BucketName = bucketName, Key = key };

    private async Task<SdkReadStream> OpenAsync(TransferUtilityOpenStreamRequest request, CancellationToken cancellationToken)
    {
        try
        {
            DownloadOptions options = DownloadMapping.Options(request);
            return new SdkReadStream(_client is TransferClient own
                ? await own.OpenReadAsync(DownloadMapping.LikeSdk(own.Check(request.BucketName, request.Key, options, cancellationToken)), options, cancellationToken).ConfigureAwait(false)
                : await _client.OpenReadAsync(request.BucketName, request.Key, options, cancellationToken).ConfigureAwait(false));
        }
        catch (Exception e)
        {
            SdkFailures.Throw(e);
            throw;
        }
    }
}
