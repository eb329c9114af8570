namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Cancels the caller's token at the n-th call to the store, whatever that call is.</summary>
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

    /// <summary>Runs the transfer. It must either succeed as if nothing was canceled, or be canceled with the caller's own token.</summary>
    /// <returns><c>true</c> if the transfer succeeded; <c>false</c> if it was canceled.</returns>
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
