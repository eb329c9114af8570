namespace Transfer.Tests.Infrastructure;

/// <summary>A caller who cancels at the n-th call to the store, whichever that is.</summary>
internal sealed class CallerCancellation : IDisposable
{
    private readonly CancellationTokenSource _source = new();

    public CallerCancellation(FakeS3 s3, int atCall, bool answersAllTheSame)
    {
        s3.Before = async (call, token) =>
        {
            if (call.Number == atCall)
            {
                await _source.CancelAsync();
                if (!answersAllTheSame)
                {
                    token.ThrowIfCancellationRequested();
                }
            }
        };
        if (atCall == 0)
        {
            _source.Cancel();
        }
    }

    public CancellationToken Token => _source.Token;

    public void Dispose() => _source.Dispose();

    /// <summary>Runs the transfer: it either ends as if nothing had been cancelled, or with the caller's own token.</summary>
    /// <returns>Whether it ended well.</returns>
    public async Task<bool> RunAsync(Func<CancellationToken, Task> transfer)
    {
        try
        {
            await transfer(Token).Within();
            return true;
        }
        catch (OperationCanceledException e)
        {
            Assert.Equal(Token, e.CancellationToken);
            return false;
        }
    }
}
