namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Counts what is in progress at the same time.</summary>
internal sealed class InProgress
{
    private readonly Lock _gate = new();

    public int Now { get; private set; }

    public int Most { get; private set; }

    /// <returns>The number that is in progress now.</returns>
    public int Enter()
    {
        lock (_gate)
        {
            Most = Math.Max(Most, ++Now);
            return Now;
        }
    }

    public void Leave()
    {
        lock (_gate)
        {
            Now--;
        }
    }
}
