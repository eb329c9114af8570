using Transfer.IntegrationTests.Infrastructure;

namespace Transfer.IntegrationTests.Compatibility;

/// <summary>
/// What events of progress must be like, however many there are. They come later than the call returns, on the SDK's own thread; the SDK adds up the parts of
/// an object on several, so that its events are not in order.
/// </summary>
internal sealed class ProgressNotes(long total)
{
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly HashSet<string> _wrong = [];
    private long _most;
    private string? _path;

    /// <summary>Whether an event told less than one before it.</summary>
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
        await _end.Task.InTime();
        lock (_wrong)
        {
            return $"progress to {_most} of {_path}: {string.Join(';', _wrong)}";
        }
    }
}
