using System.Threading.Channels;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>
/// Lets one command take a step at a time, in an order that a seed decides: a request stops before it is sent and after its response has arrived, and continues only when
/// it is its turn. So two commands interleave in the same way in every run.
/// </summary>
/// <remarks>A command that transfers one object at a time does nothing while it has a request that waits for its turn.</remarks>
/// <param name="random">Decides whose turn it is.</param>
internal sealed class TurnScheduler(Random random)
{
    private readonly Lock _gate = new();
    private readonly List<Point> _waiting = [];
    private readonly List<RequestStep> _steps = [];
    private readonly Channel<bool> _changed = Channel.CreateUnbounded<bool>();

    /// <summary>Gets the number of steps so far, which is the time of a trial.</summary>
    public int Now { get; private set; }

    /// <summary>Gets the requests that were sent.</summary>
    public IReadOnlyList<RequestStep> Steps
    {
        get
        {
            lock (_gate)
            {
                return [.. _steps];
            }
        }
    }

    /// <summary>Begins the next step of the trial.</summary>
    public int Tick() => ++Now;

    /// <summary>Wraps the connections of a command.</summary>
    public HttpMessageHandler Wrap(int command, HttpMessageHandler inner) => new TurnHandler(this, command) { InnerHandler = inner };

    /// <summary>Runs commands until all have ended.</summary>
    /// <param name="commands">Starts each command. Its exceptions are an outcome, too.</param>
    /// <param name="meddle">Called before each step, while all commands wait.</param>
    /// <returns>When each command ended.</returns>
    public async Task<int[]> RunAsync(IReadOnlyList<Func<Task>> commands, Action meddle)
    {
        int[] ended = [.. commands.Select(_ => int.MaxValue)];
        Task[] running = new Task[commands.Count];
        for (int i = 0; i < running.Length; i++)
        {
            running[i] = StartAsync(commands[i]);
            await WhenIdleAsync(i).ConfigureAwait(false);
        }

        while (!commands.Select((_, i) => HasEnded(i)).All(has => has))
        {
            if (TryTake() is not { } point)
            {
                await WaitUntilAsync(() => _waiting.Count > 0 || commands.Select((_, i) => HasEnded(i)).All(has => has)).ConfigureAwait(false); // a request was canceled
                continue;
            }

            Tick();
            meddle();
            if (point.Request is { } request)
            {
                lock (_gate)
                {
                    _steps.Add(request with { Time = Now });
                }
            }

            point.Turn.SetResult();
            await (point.Request is null ? WhenIdleAsync(point.Command) : WhenAnsweredAsync(point)).ConfigureAwait(false);
        }

        await Task.WhenAll(running).Within().ConfigureAwait(false);
        return ended;

        async Task StartAsync(Func<Task> command)
        {
            int number = Array.IndexOf(running, null);
            await Task.Run(command).ConfigureAwait(false);
            lock (_gate)
            {
                ended[number] = Now;
            }

            _changed.Writer.TryWrite(true);
        }

        bool HasEnded(int command) => ended[command] < int.MaxValue || running[command] is { IsFaulted: true };

        Task WhenIdleAsync(int command) => WaitUntilAsync(() => HasEnded(command) || _waiting.Exists(point => point.Command == command));

        Task WhenAnsweredAsync(Point sent) => WaitUntilAsync(() => HasEnded(sent.Command) || sent.IsCanceled || _waiting.Exists(point => point.Sent == sent));
    }

    private async Task WaitUntilAsync(Func<bool> condition)
    {
        using CancellationTokenSource deadline = new(Deadline.Longest);
        while (true)
        {
            lock (_gate)
            {
                if (condition())
                {
                    return;
                }
            }

            await _changed.Reader.ReadAsync(deadline.Token).ConfigureAwait(false);
        }
    }

    private Point? TryTake()
    {
        lock (_gate)
        {
            if (_waiting.Count == 0)
            {
                return null;
            }

            // In the order of arrival of each command, which a seed can repeat.
            int[] commands = [.. _waiting.Select(point => point.Command).Distinct().Order()];
            Point[] own = [.. _waiting.Where(point => point.Command == commands[0])];
            if (commands.Length > 1 && random.Next(2) == 1)
            {
                own = [.. _waiting.Where(point => point.Command == commands[1])];
            }

            Point taken = own.OrderBy(point => point.Name, StringComparer.Ordinal).ElementAt(random.Next(own.Length));
            _waiting.Remove(taken);
            return taken;
        }
    }

    private async Task WaitAsync(Point point, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            _waiting.Add(point);
        }

        _changed.Writer.TryWrite(true);
        try
        {
            await point.Turn.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            lock (_gate)
            {
                _waiting.Remove(point);
                point.IsCanceled = true;
            }

            _changed.Writer.TryWrite(true);
            throw;
        }
    }

    /// <summary>A place where a command waits for its turn.</summary>
    /// <param name="command">The number of the command.</param>
    /// <param name="name">What it is about.</param>
    /// <param name="request">The request that isn't sent yet; null if its response has arrived.</param>
    /// <param name="sent">The point at which the request of the response waited; null if it isn't sent yet.</param>
    private sealed class Point(int command, string name, RequestStep? request, Point? sent)
    {
        public int Command => command;

        public string Name => name;

        public RequestStep? Request => request;

        public Point? Sent => sent;

        public bool IsCanceled { get; set; }

        public TaskCompletionSource Turn { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    private sealed class TurnHandler(TurnScheduler turns, int command) : DelegatingHandler
    {
        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            string path = Uri.UnescapeDataString(request.RequestUri!.AbsolutePath);
            string query = Uri.UnescapeDataString(request.RequestUri.Query);
            RequestStep step = new(command, 0, request.Method.Method, request.RequestUri.Port, path, query);
            Point sent = new(command, $"{request.Method} {path} {query}", step, null);
            await turns.WaitAsync(sent, cancellationToken).ConfigureAwait(false);
            HttpResponseMessage? response = null;
            try
            {
                response = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                await turns.WaitAsync(new Point(command, sent.Name, null, sent), CancellationToken.None).ConfigureAwait(false);
            }

            return response;
        }
    }
}
