namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>
/// Checks progress events, whatever their number. They occur on the SDK's thread, also after the call returns. The SDK adds up the parts of an
/// object on several threads, so its events are not in order.
/// </summary>
internal sealed class ProgressNotes(long total)
{
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly HashSet<string> _wrong = [];
    private long _most;
    private string? _path;

    /// <summary>Gets a value that indicates whether an event reported fewer bytes than an earlier one.</summary>
    public bool WentBack { get; private set; }

    public void Add(bool isOwn, string? path, long transferred, long totalBytes)
    {
        lock (_wrong)
        {
            _path = path;
            if (!isOwn || transferred > total || totalBytes != total)
            {
                _wrong.Add($"{isOwn} {transferred}/{totalBytes}");
            }

            WentBack |= transferred < _most;
            _most = Math.Max(_most, transferred);
            if (_most >= total)
            {
                _end.TrySetResult();
            }
        }
    }

    public async Task<string> EndAsync()
    {
        await _end.Task.Within();
        lock (_wrong)
        {
            return $"progress to {_most} of {_path}: {string.Join(';', _wrong)}";
        }
    }
}
