namespace Transfer.S3.Requests;

/// <summary>
/// Receives progress updates also for every completed part and every 100 KiB, at any rate. <see cref="IProgress{T}.Report"/> is called under a lock on the thread that transfers the
/// data, so it must only store the update and return.
/// </summary>
internal interface IPartProgress : IProgress<TransferProgress>;
