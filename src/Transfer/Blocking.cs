namespace Transfer.S3;

/// <summary>Blocks the calling thread until a task completes, as synchronous interfaces require. The exception of the task is thrown.</summary>
/// <remarks>
/// What completes the task needs a thread of the pool: sockets have no other. If the callers occupy all of them, .NET adds a thread only a few times a second
/// (ThreadPool.Blocking settings), so that hundreds of synchronous readers stand still for minutes. Therefore, while many threads of the pool wait here, the
/// pool's minimum is higher by their number. Threads that aren't needed anymore end by themselves.
/// </remarks>
internal static class Blocking
{
    /// <summary>How often the minimum is lowered again. Doing that with each wait would wake a thread each time.</summary>
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    /// <summary>The number of threads beyond which the minimum isn't raised, because each has a stack.</summary>
    private const int Most = 1024;

    private static readonly Lock Gate = new();
    private static Timer? Lowering;
    private static int Waiting;
    private static int AddedThreads;
    private static int LastMin;

    /// <summary>Gets the number of threads by which the minimum of the pool is raised.</summary>
    internal static int Added => Volatile.Read(ref AddedThreads);

#pragma warning disable VSTHRD002 // the interfaces are synchronous; no code of the library needs the caller's context
    public static void Wait(Task task)
    {
        if (task.IsCompleted || !Thread.CurrentThread.IsThreadPoolThread)
        {
            task.GetAwaiter().GetResult();
            return;
        }

        Begin();
        try
        {
            task.GetAwaiter().GetResult();
        }
        finally
        {
            Interlocked.Decrement(ref Waiting);
        }
    }

    public static void Wait(ValueTask task)
    {
        if (task.IsCompleted)
        {
            task.GetAwaiter().GetResult();
            return;
        }

        Wait(task.AsTask());
    }

    public static T Wait<T>(Task<T> task)
    {
        Wait((Task)task);
        return task.Result;
    }

    public static T Wait<T>(ValueTask<T> task) => task.IsCompleted ? task.GetAwaiter().GetResult() : Wait(task.AsTask());
#pragma warning restore VSTHRD002

    /// <summary>Lowers the minimum to what the threads that wait now need.</summary>
    internal static void Lower()
    {
        lock (Gate)
        {
            int needed = Rounded(Volatile.Read(ref Waiting));
            if (needed < AddedThreads)
            {
                Set(needed);
            }

            if (AddedThreads == 0)
            {
                Lowering?.Dispose();
                Lowering = null;
            }
        }
    }

    private static void Begin()
    {
        int needed = Rounded(Interlocked.Increment(ref Waiting));
        if (needed <= Volatile.Read(ref AddedThreads))
        {
            return;
        }

        lock (Gate)
        {
            if (needed > AddedThreads)
            {
                Set(needed);
                Lowering ??= new Timer(static _ => Lower(), null, Interval, Interval);
            }
        }
    }

    /// <summary>A few threads that wait are what the minimum is for. More of them change it in steps.</summary>
    private static int Rounded(int waiting) => waiting < Environment.ProcessorCount ? 0 : (int)Math.Min(Most, System.Numerics.BitOperations.RoundUpToPowerOf2((uint)waiting));

    private static void Set(int added)
    {
        ThreadPool.GetMinThreads(out int min, out int completionPorts);
        int own = min == LastMin ? min - AddedThreads : min; // the program has set another minimum in the meantime
        if (ThreadPool.SetMinThreads(own + added, completionPorts))
        {
            (AddedThreads, LastMin) = (added, own + added);
        }
    }
}
